package io.boltshuffle.proof.lab;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.ForegroundProcess;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bolt lab}. */
@Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        header = "Runs tests, or any command, on a Linux kernel's own verbs stack, in a virtual machine.",
        description = {
            "",
            "Boots Debian's stock kernel under QEMU's software emulation, or its sources built as User-Mode Linux: no "
                    + "KVM, no root. The guest sees this machine's files read-only and has two Soft-RoCE devices, "
                    + "rdma_en5 and rdma_en6, whose packets cross a virtual cable. The kernel is fetched once, and for "
                    + "UML built: ten minutes of processor time. Everything that the guest writes is gone with it, but "
                    + "for what is in $LAB_OUT. Under arm64, for contract, run and spark's jobs without faults, it is "
                    + "a Debian of its own for that processor, with pages of 16 KiB as Macs have them.",
            "",
            "  bolt lab contract        the link's contract: RDMA READ on RC, SEND on UC",
            "  bolt lab differential    virtual Thunderbolt against the kernel, call by call",
            "  bolt lab faults          loss, damage, dead port, device gone, peer killed",
            "  bolt lab spark           TeraSort, a query, faults while jobs run (UML)",
            "  bolt lab prepare         get the kernel and stop",
            "  bolt lab run -- ibv_rc_pingpong -d rdma_en5 -g 1",
            ""
        },
        footerHeading = "%nExit codes:%n",
        footer = {
            "  0    every test passed; of 'run': the command's own code",
            "  1    a test failed",
            "  3    the lab cannot run on this machine; the message says what is missing",
            "  124  the deadline passed, and the guest was ended",
            "  125  the guest did not boot, or vanished"
        })
public final class LabCommand implements Callable<Integer> {

    private static final String PREPARE = "prepare";
    private static final String RUN = "run";
    private static final Duration RUN_DEADLINE = Duration.ofMinutes(5);

    @Parameters(index = "0", paramLabel = "WHAT", description = "One of the words above.")
    private String what = PREPARE;

    @Parameters(index = "1..*", paramLabel = "COMMAND", description = "After run: what to run in the guest.")
    private List<String> command = List.of();

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description = "qemu, uml or arm64 (default: by suite; otherwise qemu).")
    private @Nullable LabEngine engine;

    @Option(
            names = "--deadline",
            paramLabel = "SECONDS",
            description = "Seconds until the guest is ended (default: by suite; run: 300).")
    private @Nullable Integer deadlineSeconds;

    @Option(
            names = "--memory",
            paramLabel = "MIB",
            description = "The guest's memory in MiB (default: ${DEFAULT-VALUE}).")
    private int memoryMib = LabGuest.of(LabEngine.QEMU, RUN_DEADLINE).memoryMib();

    @Option(
            names = "--cpus",
            paramLabel = "NUMBER",
            description = "The guest's virtual cores (default: ${DEFAULT-VALUE}).")
    private int cpus = LabGuest.of(LabEngine.QEMU, RUN_DEADLINE).cpus();

    @Override
    public Integer call() {
        boolean runs = what.equals(RUN);
        if (runs == command.isEmpty()) {
            throw BoltException.usage(
                    runs ? "lab run needs a command: bolt lab run -- COMMAND" : "lab " + what + " takes no command");
        }
        if (what.equals(PREPARE)) {
            return run(Lab.ofInstallation().prepare(engine(LabEngine.QEMU)));
        }
        if (runs) {
            return run(Lab.ofInstallation().run(guest(LabGuest.of(engine(LabEngine.QEMU), RUN_DEADLINE)), command));
        }
        return run(suite());
    }

    private LabSuite suite() {
        return Arrays.stream(LabSuite.values())
                .filter(suite -> nameOf(suite).equals(what))
                .findFirst()
                .orElseThrow(() -> BoltException.usage("lab has no " + what + "; it has " + PREPARE + ", " + RUN + ", "
                        + Arrays.stream(LabSuite.values())
                                .map(LabCommand::nameOf)
                                .collect(Collectors.joining(", "))));
    }

    private static String nameOf(LabSuite suite) {
        return suite.name().toLowerCase(Locale.ROOT);
    }

    /** Runs a suite. It gets the kernel first, because without a kernel there is no reason to build. */
    private int run(LabSuite suite) {
        Lab lab = Lab.ofInstallation();
        LabEngine chosen = engine(suite.engine());
        if (!suite.isFor(chosen)) {
            throw BoltException.usage("lab " + nameOf(suite)
                    + " does not run under arm64; it has contract, spark without faults, and run");
        }
        LabGuest guest = guest(LabGuest.of(suite, chosen));
        int prepared = run(lab.prepare(guest.engine()));
        if (prepared != ExitCode.OK) {
            return prepared;
        }
        if (ForegroundProcess.run(lab.build().inheritIO()) != 0) {
            throw BoltException.failed("the tests could not be built: Maven's messages are above");
        }
        return run(lab.run(suite, guest));
    }

    private static int run(ProcessBuilder process) {
        return Lab.exitCode(ForegroundProcess.run(process.inheritIO()));
    }

    /** Returns the usual guest, changed by the options of the command line. */
    private LabGuest guest(LabGuest usual) {
        Duration deadline = deadlineSeconds == null ? usual.deadline() : Duration.ofSeconds(deadlineSeconds);
        return new LabGuest(engine(usual.engine()), deadline, memoryMib, cpus);
    }

    private LabEngine engine(LabEngine usual) {
        return engine == null ? usual : engine;
    }
}
