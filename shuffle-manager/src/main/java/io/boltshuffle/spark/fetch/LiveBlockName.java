package io.boltshuffle.spark.fetch;

import io.boltshuffle.wire.LiveBlock;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Spark's names of blocks in memory: {@code broadcast_b_piecep}, {@code rdd_r_p} and {@code taskresult_t}. A whole
 * broadcast, which has no piece, never leaves its process.
 */
public final class LiveBlockName {

    private static final Pattern PIECE = Pattern.compile("broadcast_([0-9]{1,18})_piece([0-9]{1,9})");
    private static final Pattern PARTITION = Pattern.compile("rdd_([0-9]{1,10})_([0-9]{1,9})");
    private static final Pattern RESULT = Pattern.compile("taskresult_([0-9]{1,18})");

    private LiveBlockName() {}

    /** Returns the block that the name denotes, or empty if it names something else. */
    public static Optional<LiveBlock> parse(String name) {
        return match(PIECE, LiveBlock.Kind.BROADCAST_PIECE, name)
                .or(() -> match(PARTITION, LiveBlock.Kind.RDD_PARTITION, name))
                .or(() -> match(RESULT, LiveBlock.Kind.TASK_RESULT, name));
    }

    private static Optional<LiveBlock> match(Pattern form, LiveBlock.Kind kind, String name) {
        Matcher parts = form.matcher(name);
        if (!parts.matches()) {
            return Optional.empty();
        }
        int part = parts.groupCount() > 1 ? Integer.parseInt(parts.group(2)) : 0;
        return Optional.of(new LiveBlock(kind, Long.parseLong(parts.group(1)), part));
    }

    /** Returns the name that Spark has for the block. */
    public static String of(LiveBlock block) {
        return switch (block.kind()) {
            case BROADCAST_PIECE -> "broadcast_" + block.id() + "_piece" + block.part();
            case RDD_PARTITION -> "rdd_" + block.id() + "_" + block.part();
            case TASK_RESULT -> "taskresult_" + block.id();
        };
    }
}
