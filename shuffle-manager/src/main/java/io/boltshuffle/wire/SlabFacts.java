package io.boltshuffle.wire;

/** How to map the agent's slab: the name that shared memory has on this platform, and its size. */
public record SlabFacts(String path, long bytes) {

    void writeTo(WireWriter out) {
        out.text("slab path", path, WireLimits.MAX_PATH_BYTES);
        out.number("slab bytes", bytes, WireLimits.MAX_SLAB_BYTES);
    }

    static SlabFacts read(WireReader in) throws WireException {
        return new SlabFacts(
                in.text("slab path", WireLimits.MAX_PATH_BYTES), in.number("slab bytes", WireLimits.MAX_SLAB_BYTES));
    }
}
