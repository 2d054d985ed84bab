package io.boltshuffle.rdma.memory;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether there is room for a slab, asked before any of it is taken.
 *
 * <p>Taking it and seeing what happens is no way to ask. The limit of a tmpfs may be as large as the host's memory:
 * filling it up wakes the kernel's out-of-memory killer, which ends other processes long before the allocation is
 * refused.
 */
final class SlabRoom {

    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+(\\d+) kB");

    /** The rest is left to the executors that the slab serves. */
    private static final int USABLE_PERCENT = 75;

    private SlabRoom() {}

    static void check(SlabLocation location, long slabBytes) throws SlabException {
        try {
            if (Files.isReadable(MEMINFO)) {
                checkMemory(slabBytes, Math.min(availableBytes(Files.readAllLines(MEMINFO)), totalBytes()));
            } else {
                checkWired(slabBytes, totalBytes());
            }
            if (location.kind() == SlabLocation.Kind.FILE) {
                Path directory = Path.of(location.name()).resolveSibling(".");
                // A file store is no help: without a mount table, as in a plain chroot, asking for one fails.
                checkFileSystem(slabBytes, directory, directory.toFile().getUsableSpace());
            }
        } catch (SlabException e) {
            throw e;
        } catch (IOException e) {
            throw new SlabException("cannot tell whether there is room for slab " + location + ": " + e, e);
        }
    }

    /** What the host could spare, by its kernel; without limit if an old kernel does not tell. */
    static long availableBytes(List<String> meminfo) {
        return meminfo.stream()
                .map(AVAILABLE::matcher)
                .filter(Matcher::matches)
                .mapToLong(matcher -> Long.parseLong(matcher.group(1)) << 10)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    /** The memory of the host, or of the container, whose limit a tmpfs counts against as well. */
    private static long totalBytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    static void checkMemory(long slabBytes, long availableBytes) throws SlabException {
        if (slabBytes > availableBytes / 100 * USABLE_PERCENT) {
            throw new SlabException("a slab of " + slabBytes + " bytes would take more than " + USABLE_PERCENT
                    + " % of the " + availableBytes
                    + " bytes of memory that are available; ask for a smaller slab, or free memory");
        }
    }

    /**
     * macOS does not tell what is available. Registering wires the pages, which the kernel cannot take back: a host
     * without memory that it may move hangs.
     */
    static void checkWired(long slabBytes, long physicalBytes) throws SlabException {
        if (slabBytes > physicalBytes / 2) {
            throw new SlabException("a slab of " + slabBytes + " bytes would wire more than half of the "
                    + physicalBytes + " bytes of memory that this host has; ask for a slab of at most "
                    + physicalBytes / 2 + " bytes");
        }
    }

    static void checkFileSystem(long slabBytes, Path directory, long usableBytes) throws SlabException {
        if (slabBytes > usableBytes) {
            throw new SlabException("a slab of " + slabBytes + " bytes does not fit into " + directory.normalize()
                    + ", which has room for " + usableBytes
                    + "; ask for a smaller slab, or enlarge the file system");
        }
    }
}
