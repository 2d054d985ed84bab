package io.boltshuffle.spark.differential;

import java.util.Arrays;
import java.util.Objects;
import org.apache.spark.Partitioner;
import org.jspecify.annotations.Nullable;

/** Spreads keys over partitions, or answers what no partitioner may answer. */
final class TrialPartitioner extends Partitioner {
    private static final long serialVersionUID = 1;

    /** How partitions are chosen, and whether the choice is right. */
    enum Manner {
        EVEN,
        SKEWED,
        /** Most partitions stay empty. */
        SPARSE,
        ALL_IN_THE_LAST,
        ANSWERS_MINUS_ONE,
        ANSWERS_COUNT,
        ANSWERS_COUNT_PLUS_ONE,
        ANSWERS_LEAST,
        ANSWERS_MOST,
        THROWS;

        boolean isRight() {
            return compareTo(ANSWERS_MINUS_ONE) < 0;
        }

        boolean isOutOfRange() {
            return !isRight() && this != THROWS;
        }
    }

    /** A wrong partitioner is wrong for one key in so many. */
    private static final int WRONG_FOR_ONE_IN = 16;

    private final int partitions;
    private final Manner manner;

    private TrialPartitioner(int partitions, Manner manner) {
        this.partitions = partitions;
        this.manner = manner;
    }

    static TrialPartitioner draw(Drawing drawing) {
        int partitions = drawing.oneOf(
                "partitions",
                2,
                1,
                3,
                7,
                15,
                16,
                17,
                40,
                40,
                100,
                101,
                199,
                200,
                201,
                300,
                1_000,
                1_001,
                2_001,
                10_000);
        boolean right = drawing.oneOf("partitioned", true, true, false);
        Manner manner = right
                ? drawing.oneOf("partitioner", Manner.EVEN, Manner.SKEWED, Manner.SPARSE, Manner.ALL_IN_THE_LAST)
                : drawing.oneOf(
                        "wrongPartitioner",
                        Manner.ANSWERS_COUNT,
                        Manner.ANSWERS_COUNT,
                        Manner.ANSWERS_COUNT,
                        Manner.ANSWERS_MINUS_ONE,
                        Manner.ANSWERS_COUNT_PLUS_ONE,
                        Manner.ANSWERS_LEAST,
                        Manner.ANSWERS_MOST,
                        Manner.THROWS);
        return new TrialPartitioner(partitions, manner);
    }

    Manner manner() {
        return manner;
    }

    @Override
    public int numPartitions() {
        return partitions;
    }

    @Override
    public int getPartition(@Nullable Object key) {
        int hash = (Arrays.hashCode(Canonical.of(key)) * 0x9E3779B9) >>> 4;
        int right = hash % partitions;
        boolean strikes = (hash / 7) % WRONG_FOR_ONE_IN == 0;
        return switch (manner) {
            case EVEN -> right;
            case SKEWED -> hash % 10 < 9 ? partitions / 3 : right;
            case SPARSE -> right / 9 * 9;
            case ALL_IN_THE_LAST -> partitions - 1;
            case ANSWERS_MINUS_ONE -> strikes ? -1 : right;
            case ANSWERS_COUNT -> strikes ? partitions : right;
            case ANSWERS_COUNT_PLUS_ONE -> strikes ? partitions + 1 : right;
            case ANSWERS_LEAST -> strikes ? Integer.MIN_VALUE : right;
            case ANSWERS_MOST -> strikes ? Integer.MAX_VALUE : right;
            case THROWS -> {
                if (strikes) {
                    throw new ArithmeticException("the partitioner fails");
                }
                yield right;
            }
        };
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TrialPartitioner that && that.partitions == partitions && that.manner == manner;
    }

    @Override
    public int hashCode() {
        return Objects.hash(partitions, manner);
    }
}
