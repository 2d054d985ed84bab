package io.boltshuffle.rdma.link.move;

/**
 * Counts the frames and the messages posted on one queue, because no device can be trusted to refuse too many. The
 * queue holds so many frames, and the completion queue has room for so many messages.
 *
 * <p><b>Invariant:</b> {@code 0 <= posted <= limit <= granted}, and no more messages than fit.
 */
public final class FrameBudget {

    private final int granted;
    private final int maxMessages;
    private int limit;
    private int posted;
    private int messages;

    FrameBudget(int granted, int maxMessages) {
        this.granted = granted;
        this.maxMessages = maxMessages;
        this.limit = granted;
    }

    /** Narrows the window, within what was granted. */
    public void limitTo(int frames) {
        limit = Math.min(frames, granted);
    }

    /** Returns the number of frames that the device allows. */
    public int granted() {
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

    /** Returns whether one more message of so many frames may be posted. */
    boolean fits(int frames) {
        return frames <= free() && messages < maxMessages;
    }

    void take(int frames) {
        if (!fits(frames)) {
            throw new IllegalStateException(frames + " frames do not fit: " + posted + " of " + limit
                    + " are posted, in " + messages + " messages");
        }
        posted += frames;
        messages++;
    }

    void give(int frames) {
        if (frames > posted) {
            throw new IllegalStateException(frames + " frames cannot come back: " + posted + " are posted");
        }
        posted -= frames;
        messages--;
    }
}
