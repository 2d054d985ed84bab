package io.boltshuffle.spark.write;

import io.boltshuffle.client.OutputLoan;
import io.boltshuffle.client.OutputMemory;
import io.boltshuffle.wire.OutputLayout;
import io.boltshuffle.wire.WireLimits;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The memory in which one output is laid down, if there is any, until the agent serves the output from there or has the
 * memory back.
 *
 * <p><b>Invariant:</b> only the bytes of the file that is committed are published. Where another attempt has committed,
 * Spark drops this one's file; so the file is recognized by its identity, which a rename keeps.
 *
 * <p><b>Threads:</b> confined to the task's.
 */
final class OutputPlace implements AutoCloseable {

    private final WriteMeter meter;
    private final @Nullable OutputMemory memory;
    private final OutputLayout layout;
    private @Nullable Object identity;
    private boolean complete;

    private OutputPlace(WriteMeter meter, @Nullable OutputMemory memory, OutputLayout layout) {
        this.meter = meter;
        this.memory = memory;
        this.layout = layout;
    }

    /**
     * Asks for memory.
     *
     * @param bytes how many the output may have at most
     */
    static OutputPlace ask(OutputLender lender, WriteMeter meter, int shuffleId, int partitions, long bytes) {
        OutputLayout layout = OutputLayout.of(partitions, bytes);
        OutputLoan loan = partitions > WireLimits.MAX_PARTITIONS
                ? new OutputLoan.Refused(OutputLoan.Why.TOO_LARGE)
                : lender.lend(shuffleId, layout.room(partitions, bytes));
        if (loan instanceof OutputLoan.Granted granted) {
            return new OutputPlace(meter, granted.memory(), layout);
        }
        OutputLoan.Refused refused = (OutputLoan.Refused) loan;
        UnpublishedReason.of(refused.why()).ifPresent(meter::unpublished);
        return new OutputPlace(meter, null, layout);
    }

    /** Where the output is to be laid; null if there is no memory. */
    @Nullable ByteBuffer bytes() {
        return memory == null ? null : memory.bytes();
    }

    /** Where the partitions are to be laid there. */
    OutputLayout layout() {
        return layout;
    }

    /**
     * The output was laid down.
     *
     * @param inMemory whether all of it lies in the memory
     * @param unfinished its file, before it is committed
     */
    void laidDown(boolean inMemory, File unfinished) {
        if (memory != null && !inMemory) {
            meter.unpublished(UnpublishedReason.OUTGROWN);
            memory.close();
        } else if (memory != null) {
            complete = true;
            identity = identityOf(unfinished);
        }
    }

    /**
     * An output was committed: this one, or one of another attempt.
     *
     * @param data its file
     */
    void committed(File data, long mapId, long[] lengths) {
        if (memory == null || !complete) {
            return;
        }
        if (identity != null && Objects.equals(identity, identityOf(data))) {
            memory.publish(mapId, layout, Arrays.stream(lengths).boxed().toList());
            meter.published(Arrays.stream(lengths).sum());
        } else {
            meter.unpublished(UnpublishedReason.NOT_COMMITTED);
        }
    }

    /** Null where there is none, so that nothing is published. The task itself does not depend on it. */
    private static @Nullable Object identityOf(File file) {
        try {
            return Files.readAttributes(file.toPath(), BasicFileAttributes.class)
                    .fileKey();
        } catch (IOException e) {
            return null;
        }
    }

    /** Gives the memory back, unless the output was published. */
    @Override
    public void close() {
        if (memory != null) {
            memory.close();
        }
    }
}
