package io.boltshuffle.agent.stage;

import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * What of a pull goes into one window, and where it lies.
 *
 * <p>Blocks are taken in order while they fit. A block that fits a window is never cut; a larger one starts a window of
 * its own and is cut at the window's end.
 *
 * @param parts what to read for each slice
 * @param detail about the first failure, empty without one
 */
public record StagingPlan(List<Part> parts, List<BlockFailure> failures, String detail, long bytes) {

    /** A slice and the file range it is read from. */
    public record Part(BlockSlice slice, FileRange range) {}

    /**
     * Looks the blocks up. On a reader thread: it touches the disk.
     *
     * @param beforeEach called before each look-up; ends them by what it throws
     */
    public static StagingPlan of(PullRequest request, BlockLocator source, long windowBytes, Runnable beforeEach) {
        Builder builder = new Builder(windowBytes);
        for (int index = 0; index < request.blocks().size(); index++) {
            BlockRange block = request.blocks().get(index);
            beforeEach.run();
            try {
                FileRange range = source.locate(request.application(), request.executor(), block);
                if (!builder.add(index, range, index == 0 ? request.firstOffset() : 0)) {
                    break;
                }
            } catch (BlockUnavailableException e) {
                builder.fail(index, e.reason(), String.valueOf(e.getMessage()));
            }
        }
        return builder.build();
    }

    private static final class Builder {
        private final long windowBytes;
        private final List<Part> parts = new ArrayList<>();
        private final List<BlockFailure> failures = new ArrayList<>();
        private String detail = "";
        private long bytes;

        Builder(long windowBytes) {
            this.windowBytes = windowBytes;
        }

        /** @return false if the block is for a later window */
        boolean add(int index, FileRange range, long offset) {
            if (range.bytes() == 0 || offset >= range.bytes()) {
                fail(index, FailureReason.UNKNOWN_BLOCK, range.file() + " has nothing at " + range.offset());
                return true;
            }
            long wanted = range.bytes() - offset;
            if (bytes > 0 && wanted > windowBytes - bytes) {
                return false;
            }
            long taken = Math.min(wanted, windowBytes);
            parts.add(new Part(
                    new BlockSlice(index, offset, taken, range.bytes()),
                    new FileRange(range.file(), range.identity(), range.offset() + offset, taken)));
            bytes += taken;
            return taken == wanted;
        }

        void fail(int index, FailureReason reason, String message) {
            if (failures.isEmpty()) {
                detail = message;
            }
            failures.add(new BlockFailure(index, reason));
        }

        StagingPlan build() {
            return new StagingPlan(List.copyOf(parts), List.copyOf(failures), detail, bytes);
        }
    }
}
