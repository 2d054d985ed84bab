package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.facts.FileSystem;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.conf.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Checks the room for shuffle files, and for the memory that agent and executors share. */
final class SpaceCheck implements Check {

    private static final long GIB = 1L << 30;
    private static final long LITTLE_DISK_BYTES = 20 * GIB;
    private static final long NO_DISK_BYTES = GIB;
    /** The agent's default memory, and as much again for other users of the file system. */
    private static final long LITTLE_SHARED_BYTES = 2 * Options.AGENT_SLAB.defaultValue();

    @Override
    public List<Finding> on(Cluster cluster) {
        List<Finding> findings = new ArrayList<>();
        for (HostFacts host : cluster.hosts()) {
            disk(host).ifPresent(findings::add);
            sharedMemory(host).ifPresent(findings::add);
        }
        return findings;
    }

    private static Optional<Finding> disk(HostFacts host) {
        return host.disk().map(disk -> {
            String seen = gigabytes(disk.freeBytes()) + " free for shuffle files (" + disk.mountPoint() + ")";
            if (disk.freeBytes() >= LITTLE_DISK_BYTES) {
                return Finding.ok(Cause.DISK, host.host(), seen);
            }
            Finding.Problem problem = new Finding.Problem(
                    seen,
                    "Every shuffled byte is written to disk before it is fetched; a full disk fails the job.",
                    "Free space, or point SPARK_LOCAL_DIRS (spark.local.dir) at a larger disk.");
            return disk.freeBytes() < NO_DISK_BYTES
                    ? Finding.failure(Cause.DISK, host.host(), problem)
                    : Finding.warning(Cause.DISK, host.host(), problem);
        });
    }

    /** Checks shared memory. Linux keeps it in a file system with a limit of its own; macOS does not. */
    private static Optional<Finding> sharedMemory(HostFacts host) {
        Optional<FileSystem> shared = host.sharedMemory();
        return shared.map(memory -> memory.freeBytes() >= LITTLE_SHARED_BYTES
                ? Finding.ok(Cause.SHARED_MEMORY, host.host(), gigabytes(memory.freeBytes()) + " free in /dev/shm")
                : Finding.warning(
                        Cause.SHARED_MEMORY,
                        host.host(),
                        new Finding.Problem(
                                gigabytes(memory.freeBytes()) + " free in /dev/shm",
                                "The buffers that agent and executors share may not fit, and then blocks go by "
                                        + "TCP.",
                                "sudo mount -o remount,size=8G /dev/shm; in a container, start it with "
                                        + "--shm-size=8g.")));
    }

    private static String gigabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) GIB);
    }
}
