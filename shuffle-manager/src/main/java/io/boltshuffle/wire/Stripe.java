package io.boltshuffle.wire;

/**
 * A part of a pull that one link carries. Stripes are given in the order of the slices' bytes, and all but the last end
 * with a frame.
 *
 * @param linkId which link of the two agents
 * @param bytes how many
 * @param offer what the sending end of the link says to the receiving end: checksums, and whatever it needs to move
 * them
 */
public record Stripe(int linkId, long bytes, Opaque offer) {

    void writeTo(WireWriter out) {
        out.i32(linkId);
        out.number("stripe bytes", bytes, WireLimits.MAX_SLAB_BYTES);
        offer.writeTo(out, "offer", WireLimits.MAX_LINK_BYTES);
    }

    static Stripe read(WireReader in) throws WireException {
        return new Stripe(
                in.i32("link"),
                in.number("stripe bytes", WireLimits.MAX_SLAB_BYTES),
                Opaque.read(in, "offer", WireLimits.MAX_LINK_BYTES));
    }
}
