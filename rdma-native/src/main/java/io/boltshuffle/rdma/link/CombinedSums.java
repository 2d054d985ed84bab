package io.boltshuffle.rdma.link;

/**
 * Computes CRC32C sums of bytes from the sums of their parts, without the bytes. With {@code a} and {@code b} one after
 * the other, {@code crc(ab) = crc(a) * x^(8 * length(b)) + crc(b)}, where sums are polynomials over two elements modulo
 * that of CRC32C, reflected. A multiplication takes 32 steps, and there is one for each bit that is set in the length,
 * so it is worth it from some kilobytes on.
 *
 * <p><b>Threads:</b> confined, because it keeps the factor of the last length: parts are often as long as each other.
 */
public final class CombinedSums {

    /** The sum of no bytes. */
    public static final int EMPTY = 0;

    /** CRC32C's polynomial without its highest power, the lowest power in the highest bit. */
    private static final int POLYNOMIAL = 0x82f63b78;

    private static final int ONE = 1 << 31;
    private static final int BITS_PER_BYTE_LOG = 3;

    /** {@code x^(2^n)} by n; after 31 of them they repeat. */
    private static final int[] POWERS = powers();

    private long lastLength;
    private int lastFactor = ONE;

    private static int[] powers() {
        int[] powers = new int[Integer.SIZE - 1];
        int power = ONE >>> 1; // x
        for (int i = 0; i < powers.length; i++) {
            powers[i] = power;
            power = multiply(power, power);
        }
        return powers;
    }

    /** The product of two polynomials modulo that of CRC32C. */
    private static int multiply(int one, int other) {
        int product = 0;
        int shifted = other;
        for (int left = one; left != 0; left <<= 1) {
            if (left < 0) {
                product ^= shifted;
            }
            shifted = (shifted & 1) == 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
        }
        return product;
    }

    /** {@code x^(8 * length)}. */
    private int factor(long length) {
        if (length != lastLength) {
            int factor = ONE;
            int power = BITS_PER_BYTE_LOG;
            for (long left = length; left != 0; left >>>= 1) {
                if ((left & 1) != 0) {
                    factor = multiply(POWERS[power], factor);
                }
                power = power + 1 == POWERS.length ? 0 : power + 1;
            }
            lastLength = length;
            lastFactor = factor;
        }
        return lastFactor;
    }

    /**
     * The sum of bytes followed by others.
     *
     * @param length of the others
     */
    public int join(int first, int second, long length) {
        return first == EMPTY ? second : multiply(factor(length), first) ^ second;
    }

    /**
     * The sum of the last bytes of a whole.
     *
     * @param first the sum of the bytes before them
     * @param length of the last bytes
     */
    public int rest(int whole, int first, long length) {
        return join(first, whole, length);
    }
}
