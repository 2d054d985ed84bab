package io.boltshuffle.agent.pull;

import io.boltshuffle.agent.stage.FileRange;
import io.boltshuffle.agent.stage.OpenFiles;
import io.boltshuffle.agent.stage.StagingPlan;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a plan, read into staging memory back to back. One that cannot be read leaves no gap.
 *
 * @param detail about the first failure, empty without one
 * @param bytes that are staged, at most those of the plan
 */
record StagedBlocks(List<BlockSlice> slices, List<BlockFailure> failures, String detail, long bytes) {

    /** What is read at a time, to be summed while it is in the cache. */
    private static final int PIECE_BYTES = 256 << 10;

    /**
     * Reads the files. On a reader thread.
     *
     * @param sums gets to see the bytes, or null if nobody wants them
     * @param beforeEach called before each block is read; ends the reading by what it throws
     */
    static StagedBlocks read(
            StagingPlan plan, OpenFiles files, Lease into, @Nullable StagingSums sums, Runnable beforeEach) {
        List<BlockSlice> slices = new ArrayList<>(plan.parts().size());
        List<BlockFailure> failures = new ArrayList<>(plan.failures());
        String detail = plan.detail();
        long position = 0;
        for (StagingPlan.Part part : plan.parts()) {
            beforeEach.run();
            try {
                read(part.range(), files, into.view(position, (int) part.range().bytes()), sums);
                slices.add(part.slice());
                position += part.range().bytes();
            } catch (IOException e) {
                detail = detail.isEmpty() ? part.range().file() + ": " + e : detail;
                if (sums != null) {
                    sums.spoil();
                }
                failures.add(new BlockFailure(part.slice().blockIndex(), FailureReason.READ_ERROR));
            }
        }
        failures.sort(Comparator.comparingInt(BlockFailure::blockIndex));
        return new StagedBlocks(List.copyOf(slices), List.copyOf(failures), detail, position);
    }

    private static void read(FileRange range, OpenFiles files, ByteBuffer into, @Nullable StagingSums sums)
            throws IOException {
        if (sums == null) {
            files.read(range, into);
        } else {
            files.read(range, into, PIECE_BYTES, sums::add);
        }
    }
}
