package io.boltshuffle.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Reads the fields of one message out of a frame that is wholly there.
 *
 * <p><b>Invariant:</b> no memory is taken for a length or count before it is known to be within its limit and covered
 * by bytes that really arrived.
 */
public final class WireReader {

    private final ByteBuffer frame;

    WireReader(ByteBuffer frame) {
        this.frame = frame;
    }

    /** Reads one item of a list. */
    @FunctionalInterface
    interface ItemReader<T> {
        T read(WireReader in) throws WireException;
    }

    int u8(String field) throws WireException {
        require(field, 1);
        return Byte.toUnsignedInt(frame.get());
    }

    boolean flag(String field) throws WireException {
        int value = u8(field);
        if (value > 1) {
            throw new WireException(field + " is " + value + ", neither 0 nor 1");
        }
        return value == 1;
    }

    int i32(String field) throws WireException {
        require(field, Integer.BYTES);
        return frame.getInt();
    }

    /**
     * Reads the version, with which a greeting begins in all versions. The rest of a greeting of another version may be
     * anything, and is not read.
     *
     * @param remedy what to do about another version
     */
    int version(int own, String remedy) throws WireException {
        int version = i32("version");
        if (version != own) {
            throw new WireException("the other end speaks version " + version + ", this one " + own + ": " + remedy);
        }
        return version;
    }

    long i64(String field) throws WireException {
        require(field, Long.BYTES);
        return frame.getLong();
    }

    long number(String field, long max) throws WireException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
            int next = u8(field);
            value |= (long) (next & 0x7f) << shift;
            if ((next & 0x80) == 0) {
                if (value > max) {
                    throw new WireException(field + " is " + value + ", allowed are 0 to " + max);
                }
                return value;
            }
        }
        throw new WireException(field + " is not a number: more than 63 bits");
    }

    /** Reads a number as {@link #number(String, long)} does, with a limit that fits an int. */
    int count(String field, int max) throws WireException {
        return (int) number(field, max);
    }

    String text(String field, int maxBytes) throws WireException {
        int length = count(field, maxBytes);
        require(field, length);
        ByteBuffer bytes = frame.slice(frame.position(), length);
        frame.position(frame.position() + length);
        try {
            return UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new WireException(field + " is not UTF-8");
        }
    }

    /**
     * Reads a text that may stand in a log line. A text with a control character is refused, because it could forge
     * other lines.
     */
    String name(String field) throws WireException {
        String name = text(field, WireLimits.MAX_NAME_BYTES);
        if (name.codePoints().anyMatch(WireReader::isControl)) {
            throw new WireException(field + " holds a control character");
        }
        return name;
    }

    /** Reads an explanation for people. It may quote another program, so a control character in it becomes a space. */
    String detail() throws WireException {
        return text("detail", WireLimits.MAX_DETAIL_BYTES)
                .codePoints()
                .map(codePoint -> isControl(codePoint) ? ' ' : codePoint)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /**
     * Returns true also for characters that end lines in Unicode only, and for those that change the direction of text.
     */
    private static boolean isControl(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    byte[] bytes(String field, int maxBytes) throws WireException {
        return fixed(field, count(field, maxBytes));
    }

    byte[] fixed(String field, int length) throws WireException {
        require(field, length);
        byte[] bytes = new byte[length];
        frame.get(bytes);
        return bytes;
    }

    <T> List<T> list(String field, int maxCount, ItemReader<T> each) throws WireException {
        int count = count(field, maxCount);
        require(field, count);
        List<T> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(each.read(this));
        }
        return Collections.unmodifiableList(items);
    }

    /** Checks the end after the last field. Remaining bytes mean that the two sides do not use the same protocol. */
    void end(String message) throws WireException {
        if (frame.hasRemaining()) {
            throw new WireException(message + " has " + frame.remaining() + " bytes after its last field");
        }
    }

    private void require(String field, int bytes) throws WireException {
        if (frame.remaining() < bytes) {
            throw new WireException(
                    "message ends inside " + field + ": " + frame.remaining() + " bytes left, " + bytes + " needed");
        }
    }
}
