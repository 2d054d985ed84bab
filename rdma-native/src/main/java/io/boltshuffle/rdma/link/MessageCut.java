package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.memory.Lease;

/**
 * The rule by which both ends cut a range into messages: all of {@code messageBytes}, but for a shorter last one.
 *
 * <p>A SEND and the receive it lands in must span the same number of frames; they do because both follow this rule.
 *
 * @param bytes size of the range, at least 1
 * @param messageBytes size of a message, a positive multiple of the frame
 */
public record MessageCut(long bytes, int messageBytes) {

    /** Largest message: 4095 frames. */
    public static final int MAX_MESSAGE_BYTES = 4095 * Lease.FRAME_BYTES;

    public MessageCut {
        if (bytes < 1) {
            throw new IllegalArgumentException("a range of " + bytes + " bytes cannot be cut");
        }
        if (messageBytes < Lease.FRAME_BYTES
                || messageBytes > MAX_MESSAGE_BYTES
                || messageBytes % Lease.FRAME_BYTES != 0) {
            throw new IllegalArgumentException("a message cannot have " + messageBytes + " bytes");
        }
        if ((bytes - 1) / messageBytes >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException(bytes + " bytes make too many messages of " + messageBytes);
        }
    }

    /** Returns the number of messages. */
    public int count() {
        return (int) ((bytes - 1) / messageBytes) + 1;
    }

    public long offset(int index) {
        return (long) index * messageBytes;
    }

    /** Bytes of one message. */
    public int length(int index) {
        return (int) Math.min(messageBytes, bytes - offset(index));
    }

    /** Frames that a message of this many bytes spans. */
    public static int frames(int bytes) {
        return (bytes + Lease.FRAME_BYTES - 1) / Lease.FRAME_BYTES;
    }
}
