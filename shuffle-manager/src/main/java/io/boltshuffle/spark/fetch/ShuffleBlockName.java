package io.boltshuffle.spark.fetch;

import io.boltshuffle.wire.BlockRange;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses Spark's names of shuffle blocks: {@code shuffle_s_m_r}, and {@code shuffle_s_m_r0_r1} for a batch. */
final class ShuffleBlockName {

    private static final Pattern FORM =
            Pattern.compile("shuffle_([0-9]{1,10})_([0-9]{1,18})_([0-9]{1,10})(?:_([0-9]{1,10}))?");

    private ShuffleBlockName() {}

    /** Returns the blocks that the name denotes, or empty if it names something else. */
    static Optional<BlockRange> parse(String blockId) {
        Matcher name = FORM.matcher(blockId);
        if (!name.matches()) {
            return Optional.empty();
        }
        try {
            int start = Integer.parseInt(name.group(3));
            int end = name.group(4) == null ? Math.addExact(start, 1) : Integer.parseInt(name.group(4));
            return Optional.of(
                    new BlockRange(Integer.parseInt(name.group(1)), Long.parseLong(name.group(2)), start, end));
        } catch (ArithmeticException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
