package io.boltshuffle.cli.lab;

import java.time.Duration;

/**
 * What a guest may take.
 *
 * @param deadline after which it is ended, whatever it does
 * @param memoryMib its memory, in MiB
 * @param cpus its virtual cores
 */
public record LabLimits(Duration deadline, int memoryMib, int cpus) {

    private static final int MEMORY_MIB = 3072;
    private static final int CPUS = 2;

    /** Enough for every suite. */
    public static LabLimits of(Duration deadline) {
        return new LabLimits(deadline, MEMORY_MIB, CPUS);
    }
}
