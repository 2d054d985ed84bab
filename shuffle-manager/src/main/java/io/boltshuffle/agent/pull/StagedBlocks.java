package io.boltshuffle.agent.pull;

import io.boltshuffle.agent.output.Output;
import io.boltshuffle.agent.output.OutputBlock;
import io.boltshuffle.agent.stage.BlockPlace;
import io.boltshuffle.agent.stage.BlockUnavailableException;
import io.boltshuffle.agent.stage.FileRange;
import io.boltshuffle.agent.stage.ServedFiles;
import io.boltshuffle.agent.stage.StagingPlan;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A run of blocks, read into staging memory back to back. One that cannot be read leaves no gap.
 *
 * @param detail about the first failure, empty without one
 * @param bytes that are staged, at most those of the run
 * @param memoryBytes of these that no file was read for
 * @param claimants outputs whose tasks said what checksums these bytes have
 */
record StagedBlocks(
        List<BlockSlice> slices,
        List<BlockFailure> failures,
        String detail,
        long bytes,
        long memoryBytes,
        Set<Output> claimants) {

    /** What is read at a time, to be summed while it is in the cache. */
    private static final int PIECE_BYTES = 256 << 10;

    /**
     * Reads the blocks. On a reader thread.
     *
     * @param request that the run is for
     * @param from where in {@code into} the first block is to lie
     * @param sums gets to see the bytes, or null if no sums are wanted
     * @param beforeEach called before each block is read; ends the reading by what it throws
     */
    static StagedBlocks read(
            List<StagingPlan.Part> run,
            PullRequest request,
            ServedFiles served,
            Lease into,
            long from,
            @Nullable StagingSums sums,
            Runnable beforeEach) {
        List<BlockSlice> slices = new ArrayList<>(run.size());
        List<BlockFailure> failures = new ArrayList<>();
        String detail = "";
        ByteBuffer room = into.view(from, roomBytes(run));
        Pieces pieces = sums == null
                ? new Pieces(Integer.MAX_VALUE, piece -> {}, null, Set.of())
                : new Pieces(PIECE_BYTES, sums::add, sums, new HashSet<>());
        int position = 0;
        long memoryBytes = 0;
        for (StagingPlan.Part part : run) {
            beforeEach.run();
            int bytes = (int) part.slice().bytes();
            room.limit(position + bytes).position(position);
            try {
                memoryBytes += read(part, request, served, room, pieces) ? bytes : 0;
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
        return new StagedBlocks(slices, failures, detail, position, memoryBytes, pieces.claimants());
    }

    /** How much is read at a time, and what looks at it. One for a run: nothing is made for each of its blocks. */
    private record Pieces(
            int mostBytes,
            Consumer<ByteBuffer> each,
            @Nullable StagingSums sums,
            Set<Output> claimants) {

        /** False if the output was gone. */
        private boolean copy(OutputBlock block, ByteBuffer into) {
            if (sums == null || !block.isSummed()) {
                return block.copyTo(into, mostBytes, each);
            }
            claimants.add(block.output());
            return block.copyTo(into, sums);
        }
    }

    /** A run lies in a window, which is much shorter than a buffer may be. */
    private static int roomBytes(List<StagingPlan.Part> run) {
        long bytes = 0;
        for (StagingPlan.Part part : run) {
            bytes += part.slice().bytes();
        }
        return Math.toIntExact(bytes);
    }

    /** Returns whether the bytes came from memory. */
    private static boolean read(
            StagingPlan.Part part, PullRequest request, ServedFiles served, ByteBuffer into, Pieces pieces)
            throws IOException, BlockUnavailableException {
        if (part.place() instanceof BlockPlace.InMemory memory && pieces.copy(memory.block(), into)) {
            return true;
        }
        FileRange range = part.place() instanceof FileRange inFile ? inFile : fileOf(part.slice(), request, served);
        served.read(request.application(), range, into, pieces.mostBytes(), pieces.each());
        return false;
    }

    /** The output made room, or ended, after the block was looked up. */
    private static FileRange fileOf(BlockSlice slice, PullRequest request, ServedFiles served)
            throws IOException, BlockUnavailableException {
        FileRange block = served.source()
                .locate(
                        request.application(),
                        request.executor(),
                        request.blocks().get(slice.blockIndex()));
        if (block.bytes() != slice.blockBytes()) {
            throw new IOException("has " + block.bytes() + " bytes in its file, and had " + slice.blockBytes()
                    + " in memory, where it is no more");
        }
        return block.part(slice.blockOffset(), slice.bytes());
    }
}
