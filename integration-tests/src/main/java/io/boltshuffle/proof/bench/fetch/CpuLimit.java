package io.boltshuffle.proof.bench.fetch;

import io.boltshuffle.cli.cluster.CableKind;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** The limit that boltshuffle sets itself: CPU per byte as a part of Netty's, without the emulator's. */
final class CpuLimit {
    /** The limits by the block size from which on they hold, with hardware that checks the bytes and without. */
    private record Parts(double read, double send) {}

    private static final NavigableMap<Integer, Parts> LIMITS = new TreeMap<>();

    static {
        LIMITS.put(4 << 10, new Parts(1 / 2.0, 1 / 2.0));
        LIMITS.put(32 << 10, new Parts(1 / 4.0, 1 / 2.0));
        LIMITS.put(128 << 10, new Parts(1 / 5.0, 2 / 5.0));
        LIMITS.put(1 << 20, new Parts(1 / 6.0, 1 / 3.0));
    }

    private CpuLimit() {}

    static OptionalDouble of(CableKind cables, int blockBytes) {
        var limit = LIMITS.floorEntry(blockBytes);
        return limit == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        cables == CableKind.READ
                                ? limit.getValue().read()
                                : limit.getValue().send());
    }
}
