package io.boltshuffle.integration;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A memory cgroup that a test makes below its own, of either version. Its processes have to end before it does. */
record TestMemoryGroup(Path directory) implements AutoCloseable {

    private static final Path ROOT = Path.of("/sys/fs/cgroup");

    /** Makes a group. The test is skipped where this user may make none. */
    static TestMemoryGroup limitedTo(long bytes) throws IOException {
        assumeTrue(Files.isReadable(Path.of("/proc/self/cgroup")), "this system has no cgroups");
        for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
            String[] fields = line.split(":", 3);
            boolean first = fields[1].equals("memory");
            if (first || fields[1].isEmpty()) {
                Path own = (first ? ROOT.resolve("memory") : ROOT).resolve(fields[2].substring(1));
                Path group =
                        own.resolve("boltshuffle-" + ProcessHandle.current().pid());
                Path limit = group.resolve(first ? "memory.limit_in_bytes" : "memory.max");
                try {
                    Files.createDirectory(group);
                    Files.writeString(limit, Long.toString(bytes));
                    return new TestMemoryGroup(group);
                } catch (IOException e) {
                    Files.deleteIfExists(group); // of the other version, or not this user's to make
                }
            }
        }
        return abort("this user may make no memory cgroup");
    }

    Path processes() {
        return directory.resolve("cgroup.procs");
    }

    @Override
    public void close() throws IOException {
        Files.delete(directory);
    }
}
