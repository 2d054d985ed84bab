package io.boltshuffle.proof.lab;

import java.time.Duration;
import java.util.List;

/**
 * The virtual machine in which a command runs.
 *
 * @param deadline after which it is ended, whatever it does
 * @param memoryMib its memory, in MiB
 * @param cpus its virtual cores; User-Mode Linux always has one
 */
public record LabGuest(LabEngine engine, Duration deadline, int memoryMib, int cpus) {

    private static final int MEMORY_MIB = 3072;
    private static final int CPUS = 2;

    /** The factor by which a suite may take longer there. */
    private static final int EMULATED_ARM_TIMES = 3;

    /** Returns a guest that is large enough for every suite. */
    public static LabGuest of(LabEngine engine, Duration deadline) {
        return new LabGuest(engine, deadline, MEMORY_MIB, CPUS);
    }

    /** Returns the guest that the suite needs under an engine. */
    public static LabGuest of(LabSuite suite, LabEngine engine) {
        int times = engine == LabEngine.ARM64 ? EMULATED_ARM_TIMES : 1;
        return of(engine, suite.deadline().multipliedBy(times));
    }

    List<String> options() {
        return List.of(
                "--engine",
                engine.word(),
                "--deadline",
                Long.toString(deadline.toSeconds()),
                "--memory",
                Integer.toString(memoryMib),
                "--cpus",
                Integer.toString(cpus));
    }
}
