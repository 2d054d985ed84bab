package io.boltshuffle.wire;

/**
 * Says where the partitions of a map output lie in its memory. The task that writes the output and the agent that
 * serves it compute it by the same rule, so this class is in their common package.
 */
public enum OutputLayout {
    /** Partitions lie back to back, as in the file. */
    PACKED,
    /** Each partition begins a frame, so that a link can send it from where it lies. */
    FRAMED;

    /**
     * With partitions of this size on average, half a frame lost to each is one byte in sixteen. Links send only those
     * of twice the size from where they lie, but partitions of an output differ in size.
     */
    static final long FRAMED_FROM_BYTES = 32 << 10;

    /**
     * Returns the layout for an output.
     *
     * @param bytes how many it has at most
     */
    public static OutputLayout of(int partitions, long bytes) {
        return bytes / partitions >= FRAMED_FROM_BYTES ? FRAMED : PACKED;
    }

    /** Returns how much memory an output of so many bytes takes at most. */
    public long room(int partitions, long bytes) {
        return this == FRAMED ? bytes + partitions * (WireLimits.FRAME_BYTES - 1L) : bytes;
    }

    /**
     * Returns where a partition begins.
     *
     * @param end where the one before it ends; 0 for the first
     */
    public long start(long end) {
        return this == FRAMED ? WireLimits.wholeFrames(end) : end;
    }
}
