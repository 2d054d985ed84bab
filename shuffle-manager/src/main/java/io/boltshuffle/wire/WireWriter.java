package io.boltshuffle.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.BiConsumer;

/**
 * Writes the fields of one message, growing up to {@link WireLimits#MAX_FRAME_BYTES}. A field beyond its limit is the
 * caller's fault and throws {@link IllegalArgumentException}: what this side sends, the other side must accept.
 */
public final class WireWriter {

    private static final int LENGTH_BYTES = Integer.BYTES;
    private static final int INITIAL_BYTES = 256;

    /** The bytes that a block takes in a list of many, so that the buffer of such a list grows once. */
    private static final int TYPICAL_ITEM_BYTES = 8;

    private ByteBuffer buffer = ByteBuffer.allocate(INITIAL_BYTES).position(LENGTH_BYTES);

    WireWriter() {}

    void u8(int value) {
        room(1).put((byte) checked("u8", value, 0xff));
    }

    void flag(boolean value) {
        u8(value ? 1 : 0);
    }

    void i32(int value) {
        room(Integer.BYTES).putInt(value);
    }

    void i64(long value) {
        room(Long.BYTES).putLong(value);
    }

    /**
     * Writes a number from 0 to {@code max}, seven bits a byte, so that the many small ones of block lists stay small.
     */
    void number(String field, long value, long max) {
        checked(field, value, max);
        long rest = value;
        while (rest > 0x7f) {
            room(1).put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        room(1).put((byte) rest);
    }

    void text(String field, String value, int maxBytes) {
        bytes(field, value.getBytes(UTF_8), maxBytes);
    }

    /** Writes text for people. It is cut to {@link WireLimits#MAX_DETAIL_BYTES} instead of being refused. */
    void detail(String value) {
        // UTF-8 needs at most three bytes for each char, so this many chars always fit.
        int maxChars = WireLimits.MAX_DETAIL_BYTES / 3;
        text("detail", value.length() <= maxChars ? value : value.substring(0, maxChars), WireLimits.MAX_DETAIL_BYTES);
    }

    void bytes(String field, byte[] value, int maxBytes) {
        number(field, value.length, maxBytes);
        room(value.length).put(value);
    }

    /** Writes exactly {@code length} bytes, without a length of their own. */
    void fixed(String field, byte[] value, int length) {
        if (value.length != length) {
            throw new IllegalArgumentException(field + " has " + value.length + " bytes, not " + length);
        }
        room(length).put(value);
    }

    <T> void list(String field, Collection<T> items, int maxCount, BiConsumer<WireWriter, T> each) {
        number(field, items.size(), maxCount);
        room(Math.min(
                items.size() * TYPICAL_ITEM_BYTES, WireLimits.MAX_FRAME_BYTES + LENGTH_BYTES - buffer.position()));
        items.forEach(item -> each.accept(this, item));
    }

    /** Returns the whole frame, length first, ready to be sent. This writer cannot be used afterwards. */
    ByteBuffer frame() {
        buffer.putInt(0, buffer.position() - LENGTH_BYTES);
        return buffer.flip();
    }

    private static long checked(String field, long value, long max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(field + " is " + value + ", allowed are 0 to " + max);
        }
        return value;
    }

    private ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            int needed = Math.addExact(buffer.position(), bytes);
            int limit = WireLimits.MAX_FRAME_BYTES + LENGTH_BYTES;
            if (needed > limit) {
                throw new IllegalArgumentException("message exceeds " + WireLimits.MAX_FRAME_BYTES + " bytes");
            }
            int capacity = Math.min(limit, Math.max(needed, 2 * buffer.capacity()));
            byte[] grown = Arrays.copyOf(buffer.array(), capacity);
            buffer = ByteBuffer.wrap(grown).position(buffer.position());
        }
        return buffer;
    }
}
