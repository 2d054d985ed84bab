package io.boltshuffle.rdma.link;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * A server's description of a range, with which a reader can fetch it: made by {@link Link#offer}, carried by the
 * owner's own messages ({@link #encode}, {@link #decode}), given to {@link Link#fetch} at the other end of the same
 * link.
 *
 * <p>Immutable. A decoded offer keeps the limits of {@link MessageCut}; whether it fits a link, {@code fetch} checks.
 */
public final class Offer {

    /** Messages per offer: bounds what a decoder allocates. 1 GiB in messages of one frame. */
    public static final int MAX_MESSAGES = 1 << 18;

    private static final int HEADER_BYTES = 8 + 8 + 8 + 4 + 8 + 4 + 4;

    private final Key key;
    private final MessageCut cut;
    private final Remote remote;
    private final int[] checksums;

    /** The name of an offer: the serving link's session, and a number within it. */
    public record Key(long session, long token) {}

    /** The checksums of an offer whose messages only the hardware checks. */
    public static final int[] UNSUMMED = {};

    /** The place of the bytes in the server's memory, for RDMA READ. Zeros in send mode. */
    public record Remote(long address, int key) {
        public static final Remote NONE = new Remote(0, 0);
    }

    public Offer(Key key, MessageCut cut, Remote remote, int[] checksums) {
        if ((checksums.length != 0 && cut.count() != checksums.length) || cut.count() > MAX_MESSAGES) {
            throw new IllegalArgumentException(checksums.length + " checksums for " + cut.count() + " messages");
        }
        this.key = key;
        this.cut = cut;
        this.remote = remote;
        this.checksums = checksums;
    }

    /** Part of an offer, on message boundaries. */
    public static final class Part {
        private final Offer offer;
        private final int firstMessage;
        private final int endMessage;
        private final long bytes;

        private Part(Offer offer, long offset, long bytes) {
            int messageBytes = offer.messageBytes();
            long end = offset + bytes;
            if (offset < 0 || bytes < 1 || offset > offer.bytes() - bytes) {
                throw new IllegalArgumentException(
                        "part " + offset + "+" + bytes + " is not within an offer of " + offer.bytes() + " bytes");
            }
            if (offset % messageBytes != 0 || (end % messageBytes != 0 && end != offer.bytes())) {
                throw new IllegalArgumentException("part " + offset + "+" + bytes
                        + " does not keep message boundaries of " + messageBytes + " bytes");
            }
            this.offer = offer;
            this.firstMessage = (int) (offset / messageBytes);
            this.endMessage = (int) ((end - 1) / messageBytes) + 1;
            this.bytes = bytes;
        }

        public Offer offer() {
            return offer;
        }

        public long bytes() {
            return bytes;
        }

        public int firstMessage() {
            return firstMessage;
        }

        public int endMessage() {
            return endMessage;
        }
    }

    /** Returns the whole offer. */
    public Part all() {
        return new Part(this, 0, bytes());
    }

    /**
     * @param offset a multiple of {@link #messageBytes}
     * @param bytes up to a message boundary or to the end
     */
    public Part part(long offset, long bytes) {
        return new Part(this, offset, bytes);
    }

    public long bytes() {
        return cut.bytes();
    }

    public int messageBytes() {
        return cut.messageBytes();
    }

    /** Returns the size of {@link #encode}'s result. */
    public int encodedBytes() {
        return HEADER_BYTES + Integer.BYTES * checksums.length;
    }

    public void encode(ByteBuffer into) {
        into.putLong(key.session).putLong(key.token);
        into.putLong(cut.bytes()).putInt(cut.messageBytes());
        into.putLong(remote.address).putInt(remote.key);
        into.putInt(checksums.length);
        for (int checksum : checksums) {
            into.putInt(checksum);
        }
    }

    /** @throws IllegalArgumentException if the bytes are not an offer within limits; trusts nothing */
    public static Offer decode(ByteBuffer from) {
        try {
            Key key = new Key(from.getLong(), from.getLong());
            MessageCut cut = new MessageCut(from.getLong(), from.getInt());
            Remote remote = new Remote(from.getLong(), from.getInt());
            int count = from.getInt();
            boolean fits = count == 0 || count == cut.count();
            if (!fits || count > MAX_MESSAGES || count > from.remaining() / Integer.BYTES) {
                throw new IllegalArgumentException("an offer of " + cut + " cannot have " + count + " checksums");
            }
            int[] checksums = new int[count];
            for (int i = 0; i < count; i++) {
                checksums[i] = from.getInt();
            }
            return new Offer(key, cut, remote, checksums);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("an offer was cut short", e);
        }
    }

    public Key key() {
        return key;
    }

    public MessageCut cut() {
        return cut;
    }

    public Remote remote() {
        return remote;
    }

    /** True if its messages have checksums. */
    public boolean isSummed() {
        return checksums.length > 0;
    }

    public int checksum(int message) {
        return checksums[message];
    }

    @Override
    public String toString() {
        return "offer " + Long.toHexString(key.token) + " of " + bytes() + " bytes in messages of " + messageBytes();
    }
}
