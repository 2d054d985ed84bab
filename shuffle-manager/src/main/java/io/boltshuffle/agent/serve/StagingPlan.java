package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.files.BlockUnavailableException;
import io.boltshuffle.agent.files.FileRange;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The part of a pull that goes into one window, and the places where it lies.
 *
 * <p>Blocks are taken in order while they fit. A block that fits a window is never cut; a larger one starts a window of
 * its own and is cut at the window's end.
 *
 * @param parts what to read for each slice
 * @param detail about the first failure, empty without one
 */
public record StagingPlan(List<Part> parts, List<BlockFailure> failures, String detail, long bytes) {

    /** A slice and the place that it is read from. */
    public record Part(BlockSlice slice, FileRange place) {}

    /** Looks blocks up. */
    @FunctionalInterface
    public interface Finder {
        /** @throws BlockUnavailableException if there is no such block, or its index cannot be read */
        FileRange find(String application, String executor, BlockRange block) throws BlockUnavailableException;
    }

    /**
     * Looks the blocks up. On a reader thread: it touches the disk.
     *
     * @param beforeEach called before each look-up; ends them by what it throws
     */
    public static StagingPlan of(PullRequest request, Finder source, long windowBytes, Runnable beforeEach) {
        Builder builder = new Builder(windowBytes);
        for (int index = 0; index < request.blocks().size(); index++) {
            BlockRange block = request.blocks().get(index);
            beforeEach.run();
            try {
                FileRange place = source.find(request.application(), request.executor(), block);
                if (!builder.add(index, place, index == 0 ? request.firstOffset() : 0)) {
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
        boolean add(int index, FileRange place, long offset) {
            if (place.bytes() == 0 || offset >= place.bytes()) {
                fail(index, FailureReason.UNKNOWN_BLOCK, "there is nothing in " + place);
                return true;
            }
            long wanted = place.bytes() - offset;
            if (bytes > 0 && wanted > windowBytes - bytes) {
                return false;
            }
            long taken = Math.min(wanted, windowBytes);
            parts.add(new Part(new BlockSlice(index, offset, taken, place.bytes()), place.part(offset, taken)));
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
            return new StagingPlan(
                    Collections.unmodifiableList(parts), Collections.unmodifiableList(failures), detail, bytes);
        }
    }
}
