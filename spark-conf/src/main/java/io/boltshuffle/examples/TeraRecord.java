package io.boltshuffle.examples;

import java.util.Comparator;
import java.util.zip.CRC32;

/**
 * The row of the sort benchmark: 100 bytes, of which the first 10 are the key. A row is a function of its number, so
 * that any host can make an input of any size again.
 */
final class TeraRecord {
    static final int ROW_BYTES = 100;
    static final int KEY_BYTES = 10;

    /** The order of the output: unsigned, byte by byte. */
    static final Comparator<byte[]> KEY_ORDER = new KeyOrder();

    private static final int NUMBER_AT = 12;
    private static final int NUMBER_DIGITS = 32;
    private static final int FILLER_AT = 48;
    private static final int FILLER_BYTES = 48;
    private static final long KEY_SEED = 0x9E3779B97F4A7C15L;

    private TeraRecord() {}

    /** Returns a row: key; break; the number in 32 hexadecimal digits; break; filler; break. */
    static byte[] row(long number) {
        byte[] row = new byte[ROW_BYTES];
        long high = mix(number * 2 * KEY_SEED);
        long low = mix((number * 2 + 1) * KEY_SEED);
        for (int i = 0; i < KEY_BYTES; i++) {
            row[i] = (byte) (i < Long.BYTES ? high >>> (8 * i) : low >>> (8 * (i - Long.BYTES)));
        }
        row[11] = 0x11;
        for (int i = 0; i < NUMBER_DIGITS; i++) {
            int shift = 4 * (NUMBER_DIGITS - 1 - i);
            row[NUMBER_AT + i] = hexDigit(shift < Long.SIZE ? (int) (number >>> shift) & 0xF : 0);
        }
        row[44] = (byte) 0x88;
        row[45] = (byte) 0x99;
        row[46] = (byte) 0xAA;
        row[47] = (byte) 0xBB;
        for (int i = 0; i < FILLER_BYTES; i++) {
            row[FILLER_AT + i] = hexDigit((int) (low >>> (4 * (i / 4))) & 0xF);
        }
        row[96] = (byte) 0xCC;
        row[97] = (byte) 0xDD;
        row[98] = (byte) 0xEE;
        row[99] = (byte) 0xFF;
        return row;
    }

    /** Returns what a row adds to the checksum of a set of rows. The sum does not depend on their order. */
    static long checksum(byte[] row) {
        CRC32 crc = new CRC32();
        crc.update(row, 0, ROW_BYTES);
        return crc.getValue();
    }

    /** Mixes as the finalizer of SplitMix64 does: every bit of the number changes every bit of the key. */
    private static long mix(long z) {
        long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
        return b ^ (b >>> 31);
    }

    private static byte hexDigit(int value) {
        return (byte) Character.toUpperCase(Character.forDigit(value, 16));
    }

    /** This order is serializable, because Spark ships it with the tasks. */
    private static final class KeyOrder implements Comparator<byte[]>, java.io.Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public int compare(byte[] a, byte[] b) {
            return java.util.Arrays.compareUnsigned(a, 0, KEY_BYTES, b, 0, KEY_BYTES);
        }
    }
}
