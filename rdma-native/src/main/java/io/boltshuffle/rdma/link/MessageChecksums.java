package io.boltshuffle.rdma.link;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The CRC32C of each message of a range, as {@link Link#offer} and the reading side's check use it. */
public final class MessageChecksums {

    private MessageChecksums() {}

    /** Reads the range once, on the calling thread. */
    public static int[] of(RangePart part, int messageBytes) {
        MessageCut cut = new MessageCut(part.bytes(), messageBytes);
        int[] checksums = new int[cut.count()];
        CRC32C crc = new CRC32C();
        for (int i = 0; i < checksums.length; i++) {
            checksums[i] = of(crc, part.range().slice(part.offset() + cut.offset(i), cut.length(i)));
        }
        return checksums;
    }

    public static int of(CRC32C crc, ByteBuffer bytes) {
        crc.reset();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
