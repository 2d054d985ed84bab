package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.os.OperatingSystem;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How large the slabs of the hosts that act on this machine may be, asked before anything is started or fetched.
 *
 * @param freeBytes without limit where the system does not tell, as on macOS
 */
record SharedMemory(long freeBytes) {
    private static final Path TMPFS = Path.of("/dev/shm");
    /** The rest is left to the cables, and to others. */
    private static final int USABLE_PERCENT = 90;

    private static final long MEBIBYTE = 1L << 20;

    static SharedMemory ofThisMachine() {
        if (OperatingSystem.current() == OperatingSystem.MACOS) {
            return new SharedMemory(Long.MAX_VALUE);
        }
        return new SharedMemory(Files.isWritable(TMPFS) ? TMPFS.toFile().getUsableSpace() : 0);
    }

    /**
     * The slab of each of {@code hosts}, in bytes and whole MiB: the usual one, or as much as fits.
     *
     * @param least with less, what is to run cannot
     */
    long slabBytes(int hosts, long usual, long least) {
        long fits = (freeBytes / 100 * USABLE_PERCENT / hosts) & -MEBIBYTE;
        if (fits < least) {
            throw lacking(hosts, least);
        }
        return Math.min(usual, fits);
    }

    /** @throws BoltException if slabs that were asked for do not fit */
    void require(int hosts, long slabBytes) {
        if (slabBytes > freeBytes / hosts) {
            throw lacking(hosts, slabBytes);
        }
    }

    private BoltException lacking(int hosts, long slabBytes) {
        return BoltException.environment(
                "shared memory (" + TMPFS + ") has " + (freeBytes >> 20) + " MiB free, and " + hosts + " hosts need "
                        + (slabBytes >> 20) + " MiB each",
                "in a container, start it with --shm-size=1g; elsewhere: mount -o remount,size=1g " + TMPFS);
    }
}
