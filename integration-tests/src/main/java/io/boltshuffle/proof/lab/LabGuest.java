package io.boltshuffle.proof.lab;

import java.time.Duration;
import java.util.List;

/**
 * The virtual machine that a command is to run in.
 *
 * @param deadline after which it is ended, whatever it does
 * @param memoryMib its memory, in MiB
 * @param cpus its virtual cores; User-Mode Linux has one, whatever this says
 */
public record LabGuest(LabEngine engine, Duration deadline, int memoryMib, int cpus) {

    private static final int MEMORY_MIB = 3072;
    private static final int CPUS = 2;

    /** Enough for every suite. */
    public static LabGuest of(LabEngine engine, Duration deadline) {
        return new LabGuest(engine, deadline, MEMORY_MIB, CPUS);
    }

    /** As the suite wants it. */
    public static LabGuest of(LabSuite suite) {
        return of(suite.engine(), suite.deadline());
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
