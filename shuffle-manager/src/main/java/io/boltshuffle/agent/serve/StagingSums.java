package io.boltshuffle.agent.serve;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The CRC32C of each message that links will offer of staged bytes, computed as the bytes are read: they are still in
 * the processor's cache then.
 *
 * <p><b>Threads:</b> confined to the reader that stages.
 */
final class StagingSums {

    /** The sums of one link's part, in messages as its peer wants them. */
    private static final class PartSums {
        private final StripePlan.Part part;
        private final int messageBytes;
        private final int[] sums;
        private int known;

        PartSums(StripePlan.Part part) {
            this.part = part;
            this.messageBytes = part.link().link().offerMessageBytes();
            this.sums = new int[(int) ((part.bytes() + messageBytes - 1) / messageBytes)];
        }

        /** Returns where the message ends that has the byte at this position of the staged range. */
        long messageEnd(long position) {
            long messages = (position - part.offset()) / messageBytes + 1;
            return Math.min(part.offset() + part.bytes(), part.offset() + messages * messageBytes);
        }
    }

    private final List<PartSums> parts;
    private final CRC32C crc = new CRC32C();
    private int current;
    private long position;
    private boolean broken;

    /** @param parts back to back, in the order of the staged range */
    StagingSums(List<StripePlan.Part> parts) {
        this.parts = parts.stream().map(PartSums::new).toList();
        this.position = parts.get(0).offset();
    }

    /** The next bytes of the staged range, from the buffer's position to its limit. */
    void add(ByteBuffer bytes) {
        while (bytes.hasRemaining() && !broken) {
            PartSums part = parts.get(current);
            long end = part.messageEnd(position);
            int taken = (int) Math.min(bytes.remaining(), end - position);
            int last = bytes.limit();
            crc.update(bytes.limit(bytes.position() + taken));
            bytes.limit(last);
            position += taken;
            if (position == end) {
                part.sums[part.known++] = (int) crc.getValue();
                crc.reset();
                current += position == part.part.offset() + part.part.bytes() ? 1 : 0;
            }
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
}
