package io.boltshuffle.agent.pull;

import io.boltshuffle.agent.output.Output;
import io.boltshuffle.rdma.link.CombinedSums;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The CRC32C of each message that links will offer of a range: computed as the bytes are staged, because they are still
 * in the processor's cache then, or from what the tasks that wrote them say of them, where they say it.
 *
 * <p><b>Threads:</b> confined to the reader that works for the pull.
 */
final class StagingSums implements Output.PieceSink {

    /** The sums of one link's part, in messages as its peer wants them. */
    private static final class PartSums {
        private final StripePlan.Part part;
        private final int messageBytes;
        private final int[] sums;
        private int known;
        private boolean claimed;

        PartSums(StripePlan.Part part) {
            this.part = part;
            this.messageBytes = part.link().link().offerMessageBytes();
            this.sums = new int[(int) ((part.bytes() + messageBytes - 1) / messageBytes)];
        }

        /** Where the message ends that has the byte at this position of the range. */
        long messageEnd(long position) {
            long messages = (position - part.offset()) / messageBytes + 1;
            return Math.min(part.offset() + part.bytes(), part.offset() + messages * messageBytes);
        }
    }

    private final List<PartSums> parts;
    private final CRC32C crc = new CRC32C();
    private final CombinedSums combined = new CombinedSums();
    /** Of the message at hand: what is before the bytes that {@link #crc} has. */
    private int before = CombinedSums.EMPTY;

    private long inCrc;
    private int current;
    private long position;
    private boolean broken;

    /** @param parts back to back, in the order of the range */
    StagingSums(List<StripePlan.Part> parts) {
        this.parts = parts.stream().map(PartSums::new).toList();
        this.position = parts.get(0).offset();
    }

    /** The next bytes of the range, from the buffer's position to its limit. */
    @Override
    public void add(ByteBuffer bytes) {
        int last = bytes.limit();
        while (bytes.position() < last && !broken) {
            int taken = (int) Math.min(last - bytes.position(), toMessageEnd());
            crc.update(bytes.limit(bytes.position() + taken));
            inCrc += taken;
            advance(taken);
        }
        bytes.limit(last);
    }

    /**
     * As {@link #add}, reading only what is needed to cut a message.
     *
     * @param sum that somebody says they have
     */
    @Override
    public void addClaimed(ByteBuffer bytes, int sum) {
        int last = bytes.limit();
        int left = sum;
        while (bytes.position() < last && !broken) {
            parts.get(current).claimed = true;
            int remaining = last - bytes.position();
            long room = toMessageEnd();
            if (remaining <= room) {
                fold();
                before = combined.join(before, left, remaining);
                bytes.position(last);
                advance(remaining);
            } else {
                int head = headOf(bytes, (int) room);
                fold();
                before = combined.join(before, head, room);
                left = combined.rest(left, head, remaining - room);
                advance(room);
            }
        }
        bytes.limit(last);
    }

    /** Reads the next bytes. */
    private int headOf(ByteBuffer bytes, int length) {
        int last = bytes.limit();
        fold();
        crc.update(bytes.limit(bytes.position() + length));
        bytes.limit(last);
        int sum = (int) crc.getValue();
        crc.reset();
        return sum;
    }

    /** Puts what was read to what is before it. */
    private void fold() {
        if (inCrc > 0) {
            before = combined.join(before, (int) crc.getValue(), inCrc);
            crc.reset();
            inCrc = 0;
        }
    }

    private long toMessageEnd() {
        return parts.get(current).messageEnd(position) - position;
    }

    private void advance(long bytes) {
        PartSums part = parts.get(current);
        long end = part.messageEnd(position);
        position += bytes;
        if (position == end) {
            fold();
            part.sums[part.known++] = before;
            before = CombinedSums.EMPTY;
            current += position == part.part.offset() + part.part.bytes() ? 1 : 0;
        }
    }

    /** Bytes that were added will be overwritten: what is known is worth nothing. */
    void spoil() {
        broken = true;
    }

    /** The sums of a part once all was added; null if they have to be computed anew. */
    int @Nullable [] of(int part) {
        return broken ? null : parts.get(part).sums;
    }

    /** Whether a sum of the part depends on what somebody said. */
    boolean isClaimed(int part) {
        return !broken && parts.get(part).claimed;
    }
}
