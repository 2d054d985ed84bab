package io.boltshuffle.wire;

/**
 * Says how to map the agent's slab, and how to be sure that it is this one.
 *
 * @param posixSharedMemory whether the name is one of POSIX shared memory; otherwise it is a file's path
 * @param name the slab's name
 * @param bytes its size
 * @param identityHigh upper half of the number that its owner drew for it
 * @param identityLow lower half
 */
public record SlabFacts(boolean posixSharedMemory, String name, long bytes, long identityHigh, long identityLow) {

    void writeTo(WireWriter out) {
        out.flag(posixSharedMemory);
        out.text("slab name", name, WireLimits.MAX_PATH_BYTES);
        out.number("slab bytes", bytes, WireLimits.MAX_SLAB_BYTES);
        out.i64(identityHigh);
        out.i64(identityLow);
    }

    static SlabFacts read(WireReader in) throws WireException {
        return new SlabFacts(
                in.flag("slab kind"),
                in.text("slab name", WireLimits.MAX_PATH_BYTES),
                in.number("slab bytes", WireLimits.MAX_SLAB_BYTES),
                in.i64("slab identity"),
                in.i64("slab identity"));
    }
}
