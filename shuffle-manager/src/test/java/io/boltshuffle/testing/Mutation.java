package io.boltshuffle.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;

/** Makes inputs out of samples: damaged, cut, repeated, spliced, or made of nothing but chance. */
final class Mutation {
    private static final int LONGEST = 64 << 10;
    private static final byte[] INTERESTING = {0, 1, 0x7f, (byte) 0x80, (byte) 0xff, '"', '{', '[', ',', ':', '\n', '-'
    };
    private static final String[] WORDS = {
        "-1",
        "0",
        "9223372036854775807",
        "-9223372036854775808",
        "4294967296",
        "1e999",
        "null",
        "\\u0000",
        "[[",
        "]]",
        "{}"
    };

    private final Random random;
    private final List<byte[]> samples;

    Mutation(long seed, List<byte[]> samples) {
        this.random = new Random(seed);
        this.samples = samples;
    }

    byte[] next() {
        if (random.nextInt(20) == 0) {
            return chance(random.nextInt(300));
        }
        byte[] input = samples.get(random.nextInt(samples.size()));
        for (int left = random.nextInt(4); left >= 0 && input.length < LONGEST; left--) {
            input = changed(input);
        }
        return input;
    }

    private byte[] changed(byte[] input) {
        int at = random.nextInt(input.length + 1);
        int end = Math.min(input.length, at + random.nextInt(16));
        return switch (random.nextInt(9)) {
            case 0 -> overwritten(input, at, new byte[] {INTERESTING[random.nextInt(INTERESTING.length)]});
            case 1 -> overwritten(input, at, chance(1));
            case 2 -> overwritten(input, at, number());
            case 3 -> joined(input, at, WORDS[random.nextInt(WORDS.length)].getBytes(UTF_8), input, end);
            case 4 -> joined(input, at, new byte[0], input, end);
            case 5 -> joined(input, at, new byte[0], new byte[0], 0);
            case 6 -> joined(input, end, new byte[0], input, at);
            case 7 -> {
                byte[] other = samples.get(random.nextInt(samples.size()));
                yield joined(input, at, new byte[0], other, random.nextInt(other.length + 1));
            }
            default -> repeated(input, at, end);
        };
    }

    /** Four or eight bytes of an integer that is large, small or negative, the highest first. */
    private byte[] number() {
        long value = random.nextBoolean() ? random.nextLong() : 1L << random.nextInt(Long.SIZE);
        byte[] bytes = new byte[random.nextBoolean() ? Integer.BYTES : Long.BYTES];
        for (int i = bytes.length - 1; i >= 0; i--, value >>= Byte.SIZE) {
            bytes[i] = (byte) value;
        }
        return bytes;
    }

    private byte[] chance(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] overwritten(byte[] input, int at, byte[] by) {
        byte[] changed = input.clone();
        System.arraycopy(by, 0, changed, at, Math.min(by.length, changed.length - at));
        return changed;
    }

    /** Returns the bytes before {@code to}, then the middle, then the bytes from {@code lastFrom} on. */
    private static byte[] joined(byte[] first, int to, byte[] middle, byte[] last, int lastFrom) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.write(first, 0, to);
        joined.writeBytes(middle);
        joined.write(last, lastFrom, last.length - lastFrom);
        return joined.toByteArray();
    }

    private byte[] repeated(byte[] input, int at, int end) {
        ByteArrayOutputStream repeated = new ByteArrayOutputStream();
        repeated.write(input, 0, at);
        for (int left = random.nextInt(2_000); left > 0 && repeated.size() < LONGEST; left--) {
            repeated.write(input, at, end - at);
        }
        repeated.write(input, at, input.length - at);
        return repeated.toByteArray();
    }
}
