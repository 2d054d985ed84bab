package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.files.BlockUnavailableException;
import io.boltshuffle.agent.files.ServedFiles;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a plan, read into staging memory back to back. One that cannot be read leaves no gap.
 *
 * @param detail about the first failure, empty without one
 * @param bytes that are staged, at most those of the plan
 */
record StagedBlocks(List<BlockSlice> slices, List<BlockFailure> failures, String detail, long bytes) {

    /** The bytes that are read at a time, to be summed while they are in the cache. */
    private static final int PIECE_BYTES = 256 << 10;

    /**
     * Reads the blocks. On a reader thread.
     *
     * @param into from its beginning
     * @param sums gets to see the bytes, or null if no sums are wanted
     * @param beforeEach called before each block is read; ends the reading by what it throws
     */
    static StagedBlocks read(
            List<StagingPlan.Part> parts,
            String application,
            ServedFiles served,
            Lease into,
            @Nullable StagingSums sums,
            Runnable beforeEach) {
        List<BlockSlice> slices = new ArrayList<>(parts.size());
        List<BlockFailure> failures = new ArrayList<>();
        String detail = "";
        ByteBuffer room = into.view(0, roomBytes(parts));
        int pieceBytes = sums == null ? Integer.MAX_VALUE : PIECE_BYTES;
        Consumer<ByteBuffer> onPiece = sums == null ? piece -> {} : sums::add;
        int position = 0;
        for (StagingPlan.Part part : parts) {
            beforeEach.run();
            int bytes = (int) part.slice().bytes();
            room.limit(position + bytes).position(position);
            try {
                served.read(application, part.place(), room, pieceBytes, onPiece);
                slices.add(part.slice());
                position += bytes;
            } catch (IOException | BlockUnavailableException e) {
                detail = detail.isEmpty() ? part.place() + ": " + e : detail;
                if (sums != null) {
                    sums.spoil();
                }
                FailureReason reason =
                        e instanceof BlockUnavailableException named ? named.reason() : FailureReason.READ_ERROR;
                failures.add(new BlockFailure(part.slice().blockIndex(), reason));
            }
        }
        return new StagedBlocks(slices, failures, detail, position);
    }

    /** Returns the bytes of all parts. They lie in a window, which is much shorter than a buffer may be. */
    private static int roomBytes(List<StagingPlan.Part> parts) {
        long bytes = 0;
        for (StagingPlan.Part part : parts) {
            bytes += part.slice().bytes();
        }
        return Math.toIntExact(bytes);
    }
}
