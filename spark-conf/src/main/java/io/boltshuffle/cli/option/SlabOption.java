package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.conf.ByteFigures;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Says how much shared memory each host takes for its slab. */
public final class SlabOption {
    @Option(
            names = "--slab",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "Shared memory of each host's slab, such as 64m (default: what suits, or what fits).")
    private @Nullable ByteSize asked;

    /** Returns the requested size, or the usual one. */
    public long bytes(long usual, long least) {
        if (asked == null) {
            return usual;
        }
        if (asked.bytes() < least) {
            throw BoltException.usage("--slab is " + ByteFigures.bytes(asked.bytes()) + "; it has to be "
                    + ByteFigures.bytes(least) + " or more");
        }
        return asked.bytes();
    }

    /**
     * Returns the size for hosts that share this machine's memory. If none was requested, it is the largest that fits.
     *
     * @throws BoltException if there is no room, before anything is started
     */
    public long bytesOfEach(int hosts, long usual, long least, Console console) {
        SharedMemory memory = SharedMemory.ofThisMachine();
        if (asked != null) {
            long bytes = bytes(usual, least);
            memory.require(hosts, bytes);
            return bytes;
        }
        long bytes = memory.slabBytes(hosts, usual, least);
        if (bytes < usual) {
            console.line("shared memory is short: each host's slab is " + ByteFigures.bytes(bytes) + " in place of "
                    + ByteFigures.bytes(usual));
        }
        return bytes;
    }
}
