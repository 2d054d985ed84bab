package io.boltshuffle.rdma.link;

/**
 * Counts the frames posted on one queue, because no device can be trusted to refuse too many.
 *
 * <p><b>Invariant:</b> {@code 0 <= posted <= limit <= granted}.
 */
final class FrameBudget {

    private final int granted;
    private int limit;
    private int posted;

    FrameBudget(int granted) {
        this.granted = granted;
        this.limit = granted;
    }

    /** Narrows the window, within what was granted. */
    void limitTo(int frames) {
        limit = Math.min(frames, granted);
    }

    /** What the device allows. */
    int granted() {
        return granted;
    }

    int limit() {
        return limit;
    }

    int posted() {
        return posted;
    }

    /** Negative while a narrowed window is overfull. */
    int free() {
        return limit - posted;
    }

    boolean fits(int frames) {
        return frames <= free();
    }

    void take(int frames) {
        if (!fits(frames)) {
            throw new IllegalStateException(frames + " frames do not fit: " + posted + " of " + limit + " are posted");
        }
        posted += frames;
    }

    void give(int frames) {
        if (frames > posted) {
            throw new IllegalStateException(frames + " frames cannot come back: " + posted + " are posted");
        }
        posted -= frames;
    }
}
