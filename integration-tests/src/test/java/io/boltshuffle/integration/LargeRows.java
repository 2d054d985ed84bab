package io.boltshuffle.integration;

import java.util.Random;
import java.util.zip.CRC32C;

/** Rows of a mebibyte that do not compress, each made from its number. */
final class LargeRows {
    static final int BYTES = 1 << 20;

    private LargeRows() {}

    static byte[] row(int number) {
        byte[] row = new byte[BYTES];
        new Random(number).nextBytes(row);
        return row;
    }

    static long checksum(byte[] row) {
        CRC32C crc = new CRC32C();
        crc.update(row);
        return crc.getValue();
    }
}
