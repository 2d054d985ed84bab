package io.boltshuffle.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A memory cgroup of Linux, which a container, a batch system or a service manager has made: its processes together may
 * have no more memory than its limit, whatever the host has. If they want more, the kernel ends one of them.
 *
 * @param directory where the kernel shows the group
 * @param limitBytes what its processes may have together; shared memory counts for the process that touched it first
 * @param freeBytes what they may have besides what they have. Cached files are free, because the kernel drops them
 */
public record MemoryGroup(Path directory, long limitBytes, long freeBytes) {

    /** The first version of cgroups has a number of this size where there is no limit. */
    private static final long LARGEST_LIMIT = 1L << 62;

    /** The files of one of the two versions of cgroups. */
    private enum Version {
        ONE("memory.limit_in_bytes", "memory.usage_in_bytes", "total_"),
        TWO("memory.max", "memory.current", "");

        private final String limit;
        private final String usage;
        private final String statPrefix;

        Version(String limit, String usage, String statPrefix) {
            this.limit = limit;
            this.usage = usage;
            this.statPrefix = statPrefix;
        }
    }

    /**
     * Returns the group that has the least room, of this process's own and those that hold it; empty if none has a
     * limit or nothing tells, as on other systems.
     */
    public static Optional<MemoryGroup> tightest() {
        return tightest(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"));
    }

    /**
     * @param membership the file that names this process's groups
     * @param root where cgroups are mounted
     */
    static Optional<MemoryGroup> tightest(Path membership, Path root) {
        MemoryGroup tightest = null;
        for (MemoryGroup group : limited(membership, root)) {
            if (tightest == null || group.freeBytes() < tightest.freeBytes()) {
                tightest = group;
            }
        }
        return Optional.ofNullable(tightest);
    }

    private static List<MemoryGroup> limited(Path membership, Path root) {
        List<MemoryGroup> limited = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(membership)) {
                String[] fields =
                        line.split(":", 3); // number, controllers, path; the second version has no controllers
                if (fields.length == 3 && fields[1].isEmpty()) {
                    collect(root, fields[2], Version.TWO, limited);
                } else if (fields.length == 3
                        && List.of(fields[1].split(",", -1)).contains("memory")) {
                    collect(root.resolve("memory"), fields[2], Version.ONE, limited);
                }
            }
        } catch (IOException | RuntimeException e) {
            return limited; // a system without cgroups, or one that shows them in another way
        }
        return limited;
    }

    private static void collect(Path root, String path, Version version, List<MemoryGroup> limited) throws IOException {
        Path own = root.resolve(path.substring(1)).normalize();
        // A container may see its own group as the root and yet be told the path that its host has for it.
        Path group = own.startsWith(root) && Files.isDirectory(own) ? own : root;
        while (group != null && group.startsWith(root)) {
            read(group, version).ifPresent(limited::add);
            group = group.getParent();
        }
    }

    private static Optional<MemoryGroup> read(Path group, Version version) throws IOException {
        Path limitFile = group.resolve(version.limit);
        if (!Files.isReadable(limitFile)) {
            return Optional.empty(); // the root of the second version has none
        }
        String text = Files.readString(limitFile).strip();
        long limit = text.equals("max") ? Long.MAX_VALUE : Long.parseLong(text);
        if (limit >= LARGEST_LIMIT) {
            return Optional.empty();
        }
        long used =
                Long.parseLong(Files.readString(group.resolve(version.usage)).strip());
        long files = 0;
        for (String line : Files.readAllLines(group.resolve("memory.stat"))) {
            String[] figure = line.split(" ", 2);
            if (figure[0].equals(version.statPrefix + "inactive_file")
                    || figure[0].equals(version.statPrefix + "active_file")) {
                files += Long.parseLong(figure[1].strip());
            }
        }
        return Optional.of(new MemoryGroup(group, limit, Math.max(0, limit - Math.max(0, used - files))));
    }
}
