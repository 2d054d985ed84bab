package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.verbs.VirtualFabric;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A checked stream of 1 MiB messages between two JVMs, beside the same in C. Prints GB/s and CPU seconds per GB, those of
 * checksums apart; the emulator's own threads are not Java threads and do not count. Run it on a quiet machine: {@code mvn -o
 * test -pl rdma-native -Dtest=LinkStreamBench -Dbolt.link.bench=true}.
 */
@EnabledIfSystemProperty(
        named = "bolt.link.bench",
        matches = "true",
        disabledReason = "measures: wants a quiet machine")
@Timeout(600)
class LinkStreamBench {

    private static final String GIGABYTES = System.getProperty("bolt.link.bench.gigabytes", "8");

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void stream(LinkMode mode, @TempDir Path directory) throws Exception {
        VirtualFabric fabric = VirtualFabric.of(
                directory,
                "profile apple",
                mode == LinkMode.SEND ? "mode uc" : "mode rc",
                "host a",
                "host b",
                "cable c a:en5 b:en6");
        Process server = start(fabric, "a", "SERVE", "rdma_en5", mode);
        BufferedReader fromServer = server.inputReader(StandardCharsets.UTF_8);
        Process reader = start(fabric, "b", "FETCH", "rdma_en6", mode, fromServer.readLine());
        Map<String, Double> fetched = result(reader.inputReader(StandardCharsets.UTF_8));
        report(mode, fetched, result(fromServer));
        System.out.println("the same in C: " + inC(directory, mode));
    }

    private static void report(LinkMode mode, Map<String, Double> fetched, Map<String, Double> served) {
        double gigabytes = value(fetched, "gigabytes");
        System.out.printf(
                "%s: %.2f GB/s; CPU s/GB: reader %s, server %s; checksums %.4f, alone %.4f%n",
                mode,
                gigabytes / value(fetched, "seconds"),
                perGigabyte(fetched, gigabytes),
                perGigabyte(served, gigabytes),
                value(fetched, "checksums") / gigabytes,
                value(fetched, "checksumsAlonePerGigabyte"));
        assertThat(gigabytes).isPositive();
    }

    private static double value(Map<String, Double> from, String name) {
        Double value = from.get(name);
        if (value == null) {
            throw new AssertionError("no " + name + " in " + from);
        }
        return value;
    }

    /** Without checksums: the poller, the channel's reader, and the callers. */
    private static String perGigabyte(Map<String, Double> cpu, double gigabytes) {
        double poller = value(cpu, "poller") / gigabytes;
        double channel = value(cpu, "channel") / gigabytes;
        double callers = value(cpu, "callers") / gigabytes;
        return String.format(
                Locale.ROOT, "%.4f (poller %.4f, channel %.4f)", poller + channel + callers, poller, channel);
    }

    private Process start(VirtualFabric fabric, String host, String role, String device, LinkMode mode, String... port)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of(role, device, mode.name(), GIGABYTES));
        arguments.addAll(List.of(port));
        Process process = fabric.start(host, StreamPeer.class, arguments.toArray(String[]::new));
        started.add(process);
        return process;
    }

    private static Map<String, Double> result(BufferedReader output) throws IOException {
        String line = String.valueOf(output.readLine());
        String[] words = line.split(" ", -1);
        Map<String, Double> result = new HashMap<>();
        for (int i = 0; i + 1 < words.length; i += 2) {
            result.put(words[i], Double.parseDouble(words[i + 1]));
        }
        return result;
    }

    private static String inC(Path directory, LinkMode mode) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of("target", "emulator", "vtbbench").toString(),
                directory.resolve("topology").toString(),
                "a",
                "b",
                "--message",
                "1048576",
                "--bytes",
                GIGABYTES + "000000000"));
        if (mode == LinkMode.READ) {
            command.add("--read");
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.strip();
    }
}
