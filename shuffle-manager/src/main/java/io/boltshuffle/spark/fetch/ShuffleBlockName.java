package io.boltshuffle.spark.fetch;

import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.LiveBlock;
import java.util.Optional;

/**
 * Parses Spark's names of shuffle blocks: {@code shuffle_s_m_r}, and {@code shuffle_s_m_r0_r1} for a batch. It does so
 * for each block of each fetch, so it makes nothing but the result.
 */
final class ShuffleBlockName {

    private static final String START = "shuffle_";
    private static final char BETWEEN = '_';

    /** The largest int has so many. */
    private static final int INT_DIGITS = 10;

    /** Each number of so many is a long. */
    private static final int LONG_DIGITS = 18;

    /** Stands for a number that is not there. */
    private static final long NONE = -1;

    private final String name;
    private int position;

    private ShuffleBlockName(String name) {
        this.name = name;
        this.position = START.length();
    }

    /** Returns the blocks that the name denotes, or empty if it names something else. */
    static Optional<BlockRange> parse(String blockId) {
        return blockId.startsWith(START) ? new ShuffleBlockName(blockId).range() : Optional.empty();
    }

    private Optional<BlockRange> range() {
        long shuffleId = number(INT_DIGITS, /* more= */ true);
        long mapId = shuffleId == NONE ? NONE : number(LONG_DIGITS, /* more= */ true);
        boolean isBatch = name.indexOf(BETWEEN, position) >= 0;
        long start = mapId == NONE ? NONE : number(INT_DIGITS, isBatch);
        long end = isBatch && start != NONE ? number(INT_DIGITS, /* more= */ false) : start + 1;
        if (start == NONE || shuffleId > Integer.MAX_VALUE || end > Integer.MAX_VALUE || end <= start) {
            return Optional.empty();
        }
        BlockRange range = new BlockRange((int) shuffleId, mapId, (int) start, (int) end);
        return LiveBlock.isNamedBy(range) ? Optional.empty() : Optional.of(range);
    }

    /**
     * Reads a number and what follows it.
     *
     * @param more whether another number follows, or else nothing
     */
    private long number(int mostDigits, boolean more) {
        int first = position;
        long number = 0;
        while (position < name.length() && isDigit(name.charAt(position)) && position - first <= mostDigits) {
            number = 10 * number + (name.charAt(position) - '0');
            position++;
        }
        int digits = position - first;
        boolean ends = position == name.length();
        if (digits == 0 || digits > mostDigits || ends == more || (more && name.charAt(position) != BETWEEN)) {
            return NONE;
        }
        position++;
        return number;
    }

    private static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }
}
