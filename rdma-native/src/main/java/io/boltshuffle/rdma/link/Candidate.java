package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.memory.Lease;

/**
 * A message size and how much of it may be under way.
 *
 * @param messageBytes a multiple of the frame
 * @param windowBytes bytes posted at once at most; at least one message
 */
public record Candidate(int messageBytes, int windowBytes) {

    public Candidate {
        if (messageBytes < Lease.FRAME_BYTES
                || messageBytes > MessageCut.MAX_MESSAGE_BYTES
                || messageBytes % Lease.FRAME_BYTES != 0) {
            throw new IllegalArgumentException("a message cannot have " + messageBytes + " bytes");
        }
        if (windowBytes < messageBytes) {
            throw new IllegalArgumentException(
                    "a window of " + windowBytes + " bytes holds no message of " + messageBytes);
        }
    }

    /** Returns whether this puts at least as much strain on a cable as the other. */
    boolean covers(Candidate other) {
        return messageBytes >= other.messageBytes && windowBytes >= other.windowBytes;
    }
}
