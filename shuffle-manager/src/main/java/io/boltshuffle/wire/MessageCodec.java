package io.boltshuffle.wire;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Bytes of one family of messages, by a table in which the number of each message on the wire, its reader and its
 * writer stand together.
 *
 * @param <M> what all messages of the family are
 */
public final class MessageCodec<M> {

    private final String sender;
    private final Map<Class<?>, Row<?>> byType = new HashMap<>();
    private final Map<Integer, Row<? extends M>> byNumber = new HashMap<>();

    /**
     * @param sender who says these messages, for errors
     * @param rows one for each message; numbers are never reused
     */
    MessageCodec(String sender, List<Row<? extends M>> rows) {
        this.sender = sender;
        for (Row<? extends M> row : rows) {
            if (byType.put(row.type, row) != null || byNumber.put(row.number, row) != null) {
                throw new IllegalArgumentException("two rows have number " + row.number + " or are of " + row.type);
            }
        }
    }

    /** One message: its number, and how its fields are read and written, in order. */
    record Row<T>(int number, Class<T> type, WireReader.ItemReader<T> reader, BiConsumer<T, WireWriter> writer) {

        /** Returns a message without fields. */
        static <T> Row<T> empty(int number, T message, Class<T> type) {
            return new Row<>(number, type, in -> message, (sent, out) -> {});
        }

        private void write(Object message, WireWriter out) {
            out.u8(number);
            writer.accept(type.cast(message), out);
        }
    }

    /** Returns the message as a frame, length first. */
    public ByteBuffer encode(M message) {
        Row<?> row = byType.get(message.getClass());
        if (row == null) {
            throw new IllegalArgumentException("no row of the table is for " + message.getClass());
        }
        WireWriter out = new WireWriter();
        row.write(message, out);
        return out.frame();
    }

    /** @param frame what {@link FrameAssembler} gave: one whole message, without its length */
    public M decode(ByteBuffer frame) throws WireException {
        WireReader in = new WireReader(frame);
        int number = in.u8("type");
        Row<? extends M> row = byNumber.get(number);
        if (row == null) {
            throw new WireException("unknown message type " + number + " from " + sender);
        }
        M message = row.reader().read(in);
        in.end(row.type().getSimpleName());
        return message;
    }
}
