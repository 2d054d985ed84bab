package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.verify.LadderDocument;
import io.boltshuffle.cli.verify.VirtualPair;
import io.boltshuffle.cli.verify.ladder.RoundTrips;
import io.boltshuffle.cli.verify.ladder.StreamCost;
import io.boltshuffle.cli.verify.ladder.StreamSpeed;
import io.boltshuffle.rdma.link.LinkMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Moves 1 MiB messages over a virtual cable, alternately with a program in C and with two JVMs. Both use the same
 * emulator, so the difference is the cost of Java.
 */
public final class LinkBench {
    private static final int MESSAGE_KIB = 1024;

    private final Path emulator;
    private final int seconds;
    private final Console console;

    public LinkBench(Path emulator, int seconds, Console console) {
        this.emulator = emulator;
        this.seconds = seconds;
        this.console = console;
    }

    /** Measures one mode. */
    public Report run(LinkMode mode, int rounds) throws IOException, InterruptedException {
        String name = mode.name().toLowerCase(Locale.ROOT);
        List<Round> all = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            console.line(name + " mode, round " + (round + 1) + " of " + rounds);
            // The first one alternates, so that a machine that slows down or speeds up favours neither.
            all.add(round % 2 == 0 ? cFirst(mode) : javaFirst(mode));
        }
        return LinkFigures.of(name, all).report();
    }

    /**
     * The results of one round.
     *
     * @param checksum CPU seconds per GB of the checksum alone
     */
    record Round(NativeBench.Figures c, List<JavaEnd> java, double checksum) {}

    /** The measurements of one of the two JVMs, about the stream to it. */
    record JavaEnd(RoundTrips latency, StreamSpeed stream, StreamCost cost) {
        static JavaEnd of(LadderDocument report) {
            return new JavaEnd(
                    Objects.requireNonNull(report.latencyMicros()),
                    Objects.requireNonNull(report.stream()),
                    Objects.requireNonNull(report.cpuSecondsPerGigabyte()));
        }
    }

    private Round cFirst(LinkMode mode) throws IOException, InterruptedException {
        NativeBench.Figures c = inC(mode);
        return new Round(c, inJava(mode), ChecksumAlone.secondsPerGigabyte(MESSAGE_KIB << 10));
    }

    private Round javaFirst(LinkMode mode) throws IOException, InterruptedException {
        List<JavaEnd> java = inJava(mode);
        double checksum = ChecksumAlone.secondsPerGigabyte(MESSAGE_KIB << 10);
        return new Round(inC(mode), java, checksum);
    }

    private NativeBench.Figures inC(LinkMode mode) throws IOException, InterruptedException {
        console.status("the program in C");
        return new NativeBench(emulator).run(mode, MESSAGE_KIB << 10, seconds);
    }

    private List<JavaEnd> inJava(LinkMode mode) throws IOException, InterruptedException {
        console.status("two JVMs");
        List<String> arguments = List.of("--message", MESSAGE_KIB + "k", "--seconds", Integer.toString(seconds));
        VirtualPair.Reports reports = new VirtualPair(emulator, mode, arguments).measure();
        JavaEnd listener = JavaEnd.of(reports.listener());
        JavaEnd connector = JavaEnd.of(reports.connector());
        if (!listener.latency().equals(connector.latency())) {
            throw BoltException.failed("the two hosts report different round trips: " + reports);
        }
        return List.of(listener, connector);
    }
}
