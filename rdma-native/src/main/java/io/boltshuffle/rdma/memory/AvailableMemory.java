package io.boltshuffle.rdma.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether this host can spare the memory of a slab. A tmpfs is no judge of that: its limit may be as large as the host's
 * memory, and filling it up wakes the kernel's out-of-memory killer long before an allocation fails.
 */
final class AvailableMemory {

    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+(\\d+) kB");

    /** The rest is left to the executors that the slab serves. */
    private static final int USABLE_PERCENT = 75;

    private AvailableMemory() {}

    /** Does nothing where the kernel does not tell (macOS: there registration refuses what cannot be wired). */
    static void check(long slabBytes) throws SlabException {
        if (!Files.isReadable(MEMINFO)) {
            return;
        }
        try {
            check(slabBytes, Files.readAllLines(MEMINFO));
        } catch (IOException e) {
            throw new SlabException("cannot read " + MEMINFO + ": " + e, e);
        }
    }

    static void check(long slabBytes, List<String> meminfo) throws SlabException {
        for (String line : meminfo) {
            Matcher matcher = AVAILABLE.matcher(line);
            if (matcher.matches()) {
                long availableBytes = Long.parseLong(matcher.group(1)) << 10;
                if (slabBytes > availableBytes / 100 * USABLE_PERCENT) {
                    throw new SlabException("a slab of " + slabBytes + " bytes would take more than " + USABLE_PERCENT
                            + " % of the " + availableBytes
                            + " bytes of memory that are available; ask for a smaller slab, or free memory");
                }
                return;
            }
        }
    }
}
