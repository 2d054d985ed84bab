package io.boltshuffle.proof.soak;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Teardown;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;

/**
 * Makes the disks of hosts slow for processes that are started with its environment. A library that is loaded before
 * the C library sleeps before each of their reads, which needs no rights and no device.
 *
 * @param library a copy, because {@code LD_PRELOAD} allows no path with a space
 * @param delay the file that says how long, in microseconds
 * @param under the disks
 */
record SlowDisk(Path library, Path delay, Path under) {
    private static final String NAME = "libslowdisk.so";

    /** @param emulator the library beside which this project's library was built */
    static SlowDisk of(Path under, Path emulator, Teardown teardown) {
        Path built = emulator.resolveSibling(NAME);
        if (!Files.isReadable(built)) {
            throw BoltException.environment(
                    "there is no " + built, "give the library of a checkout, where it is beside this one");
        }
        try {
            Path directory = teardown.open(() -> Files.createTempDirectory("bolt-disk"), FileTrees::delete);
            Path library = Files.copy(built, directory.resolve(NAME));
            SlowDisk disk = new SlowDisk(library, directory.resolve("delay"), under.toRealPath());
            disk.delayReads(Duration.ZERO);
            return disk;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "BOLT_SLOW_DISK", delay.toString(),
                "BOLT_SLOW_DISK_UNDER", under.toString());
    }

    /** Delays each read that begins from now on by so much; zero ends the delay. */
    void delayReads(Duration eachRead) {
        ByteBuffer micros = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
        micros.putInt(Math.toIntExact(eachRead.toNanos() / 1_000)).flip();
        // The file is changed in place, because processes have it mapped.
        try (FileChannel file = FileChannel.open(delay, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(micros, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
