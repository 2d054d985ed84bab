package io.boltshuffle.wire;

/**
 * The output of one map task for reduce partitions {@code startReduce} up to, not including, {@code endReduce}: what
 * Spark names {@code shuffle_s_m_r} for one partition and {@code shuffle_s_m_r0_r1} for several.
 */
public record BlockRange(int shuffleId, long mapId, int startReduce, int endReduce) {

    public BlockRange {
        if (shuffleId < 0 || mapId < 0 || startReduce < 0 || endReduce <= startReduce) {
            throw new IllegalArgumentException("not a block: shuffle " + shuffleId + ", map " + mapId + ", reduce "
                    + startReduce + " to " + endReduce);
        }
    }

    void writeTo(WireWriter out) {
        out.number("shuffle", shuffleId, Integer.MAX_VALUE);
        out.number("map", mapId, Long.MAX_VALUE);
        out.number("reduce", startReduce, Integer.MAX_VALUE);
        out.number("reduce count", (long) endReduce - startReduce, Integer.MAX_VALUE);
    }

    static BlockRange read(WireReader in) throws WireException {
        int shuffleId = in.count("shuffle", Integer.MAX_VALUE);
        long mapId = in.number("map", Long.MAX_VALUE);
        int startReduce = in.count("reduce", Integer.MAX_VALUE);
        int count = in.count("reduce count", Integer.MAX_VALUE - startReduce);
        if (count == 0) {
            throw new WireException("block range without a partition");
        }
        return new BlockRange(shuffleId, mapId, startReduce, startReduce + count);
    }
}
