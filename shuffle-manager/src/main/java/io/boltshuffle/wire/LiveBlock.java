package io.boltshuffle.wire;

import java.util.Optional;

/**
 * A block in the memory, or the disk store, of a living executor or driver, which has to be asked for it.
 *
 * <p>On the wire it is a {@link BlockRange} of a shuffle that Spark never has: Spark numbers an application's shuffles
 * from 0 upwards. An agent that asks no owners therefore answers that it finds no such file, as for any block that is
 * gone.
 *
 * @param id of the broadcast, of the RDD, or of the task whose result it is
 * @param part the piece of the broadcast, or the partition of the RDD; 0 for a result
 */
public record LiveBlock(Kind kind, long id, int part) {

    /** The kind of a block's owner. The numbers of shuffles travel, and are never reused. */
    public enum Kind {
        BROADCAST_PIECE(Integer.MAX_VALUE),
        RDD_PARTITION(Integer.MAX_VALUE - 1),
        TASK_RESULT(Integer.MAX_VALUE - 2);

        private final int shuffleId;

        Kind(int shuffleId) {
            this.shuffleId = shuffleId;
        }

        private static Optional<Kind> of(BlockRange range) {
            for (Kind kind : KINDS) {
                if (kind.shuffleId == range.shuffleId()) {
                    return Optional.of(kind);
                }
            }
            return Optional.empty();
        }
    }

    private static final Kind[] KINDS = Kind.values();

    /** The kinds have the numbers from here to the last one. */
    private static final int FIRST_SHUFFLE_ID = Integer.MAX_VALUE - (KINDS.length - 1);

    public LiveBlock {
        if (id < 0 || part < 0 || part == Integer.MAX_VALUE) {
            throw new IllegalArgumentException("not a block: " + kind + " " + id + ", part " + part);
        }
    }

    /** Returns the range by which messages name this block. */
    public BlockRange toRange() {
        return new BlockRange(kind.shuffleId, id, part, part + 1);
    }

    /** Returns the block that a range names; empty if it names blocks of a shuffle. */
    public static Optional<LiveBlock> of(BlockRange range) {
        return Kind.of(range).map(kind -> new LiveBlock(kind, range.mapId(), range.startReduce()));
    }

    /** Returns whether a range names such a block. */
    public static boolean isNamedBy(BlockRange range) {
        return range.shuffleId() >= FIRST_SHUFFLE_ID;
    }
}
