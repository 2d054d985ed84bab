package io.boltshuffle.rdma.memory;

import com.sun.management.OperatingSystemMXBean;
import io.boltshuffle.os.MemoryGroup;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks whether there is room for a slab before any of it is allocated.
 *
 * <p>An attempt to allocate it would not be a safe check. The limit of a tmpfs may be as large as the host's memory:
 * filling it wakes the kernel's out-of-memory killer, which ends other processes long before the allocation is refused.
 */
final class SlabRoom {

    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+(\\d+) kB");

    /** The rest is left to the executors that the slab serves. */
    private static final int USABLE_PERCENT = 75;

    private SlabRoom() {}

    static void check(SlabLocation location, long slabBytes) throws SlabException {
        try {
            checkMemory(slabBytes, MEMINFO);
            checkGroup(slabBytes, MemoryGroup.tightest());
            if (location.kind() == SlabLocation.Kind.FILE) {
                Path directory = Path.of(location.name()).resolveSibling(".");
                // FileStore does not help: in a plain chroot, which has no mount table, it cannot be obtained.
                checkFileSystem(slabBytes, directory, directory.toFile().getUsableSpace());
            }
        } catch (SlabException e) {
            throw e;
        } catch (IOException e) {
            throw new SlabException("cannot tell whether there is room for slab " + location + ": " + e, e);
        }
    }

    /** Checks what is available; where no kernel says what is, as on macOS, the physical memory. */
    static void checkMemory(long slabBytes, Path meminfo) throws IOException {
        if (Files.isReadable(meminfo)) {
            checkMemory(slabBytes, Math.min(availableBytes(Files.readAllLines(meminfo)), totalBytes()));
        } else {
            checkWired(slabBytes, totalBytes());
        }
    }

    /** Returns what the host can spare, according to its kernel; without limit if an old kernel does not say. */
    static long availableBytes(List<String> meminfo) {
        return meminfo.stream()
                .map(AVAILABLE::matcher)
                .filter(Matcher::matches)
                .mapToLong(matcher -> Long.parseLong(matcher.group(1)) << 10)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    /** Returns the memory of the host, or of the container, whose limit a tmpfs counts against as well. */
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
     * Checks the memory cgroup. The kernel counts a slab for the group of its agent, because that allocates it, and
     * ends a process of a group that wants more than its limit, perhaps an executor.
     */
    static void checkGroup(long slabBytes, Optional<MemoryGroup> tightest) throws SlabException {
        if (tightest.isPresent() && slabBytes > tightest.get().freeBytes() / 100 * USABLE_PERCENT) {
            MemoryGroup group = tightest.get();
            throw new SlabException("a slab of " + slabBytes + " bytes would take more than " + USABLE_PERCENT
                    + " % of the " + group.freeBytes() + " bytes that are free of the " + group.limitBytes()
                    + " bytes to which the memory cgroup " + group.directory()
                    + " is limited; ask for a smaller slab, or raise that limit");
        }
    }

    /**
     * Checks the physical memory, because macOS does not report what is available. Registration wires the pages, which
     * the kernel cannot take back: a host without memory that it may move hangs.
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
