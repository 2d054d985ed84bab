package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.os.OperatingSystem;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Decides how large the slabs of this machine's virtual hosts may be, before anything is started or fetched.
 *
 * @param freeBytes without limit if the system does not say, as on macOS
 */
record SharedMemory(long freeBytes) {
    private static final Path TMPFS = Path.of("/dev/shm");
    /** The rest is left to the cables, and to other programs. */
    private static final int USABLE_PERCENT = 90;

    private static final long MEBIBYTE = 1L << 20;

    static SharedMemory ofThisMachine() {
        if (OperatingSystem.current() == OperatingSystem.MACOS) {
            return new SharedMemory(Long.MAX_VALUE);
        }
        return new SharedMemory(Files.isWritable(TMPFS) ? TMPFS.toFile().getUsableSpace() : 0);
    }

    /**
     * Returns the size of the slab of each of {@code hosts}, in bytes and whole MiB: the usual size, or as much as
     * fits.
     *
     * @param least the run cannot work with less
     */
    long slabBytes(int hosts, long usual, long least) {
        long fits = (freeBytes / 100 * USABLE_PERCENT / hosts) & -MEBIBYTE;
        if (fits < least) {
            throw lacking(hosts, least);
        }
        return Math.min(usual, fits);
    }

    /**
     * Checks that slabs of a requested size fit.
     *
     * @throws BoltException if they do not
     */
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
