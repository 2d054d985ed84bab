package io.boltshuffle.proof.bench.inspark;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The CPU time of the processes of a measurement, by their kind.
 *
 * @param agents without the emulator's threads
 * @param emulator threads that stand in for the cable's hardware
 */
public record CpuNanos(long executors, long agents, long emulator) implements Serializable {
    private static final String EMULATOR_THREAD = "vtb-";

    /** Returns what these processes have used since they started. */
    public static CpuNanos now(List<Long> executors, List<Long> agents) {
        long emulator = agents.stream().mapToLong(CpuNanos::ofEmulator).sum();
        long allOfAgents = agents.stream().mapToLong(CpuNanos::ofProcess).sum();
        return new CpuNanos(executors.stream().mapToLong(CpuNanos::ofProcess).sum(), allOfAgents - emulator, emulator);
    }

    public CpuNanos since(CpuNanos earlier) {
        return new CpuNanos(executors - earlier.executors, agents - earlier.agents, emulator - earlier.emulator);
    }

    private static long ofProcess(long processId) {
        return ProcessHandle.of(processId)
                .flatMap(process -> process.info().totalCpuDuration())
                .map(Duration::toNanos)
                .orElseThrow(() -> new IllegalStateException("process " + processId + " is gone"));
    }

    /**
     * Returns the emulator's time. Linux reports CPU time by thread; other systems do not, so the result is zero there.
     */
    private static long ofEmulator(long processId) {
        Path threads = Path.of("/proc", Long.toString(processId), "task");
        if (!Files.isDirectory(threads)) {
            return 0;
        }
        try (Stream<Path> each = Files.list(threads)) {
            return each.mapToLong(CpuNanos::ofEmulatorThread).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long ofEmulatorThread(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).startsWith(EMULATOR_THREAD)
                    ? Long.parseLong(
                            Files.readString(thread.resolve("schedstat")).split(" ", 2)[0])
                    : 0;
        } catch (NoSuchFileException e) {
            return 0; // it ended meanwhile; the emulator's own live as long as the agent
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
