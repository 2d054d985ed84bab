package io.boltshuffle.agent;

import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The blocks of a plan, read into staging memory back to back. One that cannot be read leaves no gap.
 *
 * @param detail about the first failure, empty without one
 * @param bytes that are staged, at most those of the plan
 */
record StagedBlocks(List<BlockSlice> slices, List<BlockFailure> failures, String detail, long bytes) {

    /** Reads the files. On a reader thread. */
    static StagedBlocks read(StagePlan plan, Lease into) {
        List<BlockSlice> slices = new ArrayList<>(plan.parts().size());
        List<BlockFailure> failures = new ArrayList<>(plan.failures());
        String detail = plan.detail();
        long position = 0;
        for (StagePlan.Part part : plan.parts()) {
            try {
                readFully(part.range(), into.view(position, (int) part.range().bytes()));
                slices.add(part.slice());
                position += part.range().bytes();
            } catch (IOException e) {
                detail = detail.isEmpty() ? part.range().file() + ": " + e : detail;
                failures.add(new BlockFailure(part.slice().blockIndex(), FailureReason.READ_ERROR));
            }
        }
        failures.sort(Comparator.comparingInt(BlockFailure::blockIndex));
        return new StagedBlocks(List.copyOf(slices), List.copyOf(failures), detail, position);
    }

    private static void readFully(FileRange range, ByteBuffer into) throws IOException {
        try (FileChannel file = FileChannel.open(range.file(), StandardOpenOption.READ)) {
            long position = range.offset();
            while (into.hasRemaining()) {
                int count = file.read(into, position);
                if (count < 0) {
                    throw new EOFException(
                            "ends at " + position + ", before the end of the block that its index tells");
                }
                position += count;
            }
        }
    }
}
