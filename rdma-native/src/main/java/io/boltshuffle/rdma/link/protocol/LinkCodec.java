package io.boltshuffle.rdma.link.protocol;

import static java.util.stream.Collectors.toMap;

import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.GrantedDepth;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.OutOfBand;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Bye;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Calibrated;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Down;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Go;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Grant;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Hello;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Pattern;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Ready;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Skip;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Skipped;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Layout of {@link LinkMessage}s: one byte with the message's number, then its components in order, big-endian. One
 * table has the number of each message, its reader and its writer. Decoding trusts nothing.
 */
public final class LinkCodec {

    public static final int VERSION = 2;
    static final int MAX_GRANTS = 1024;
    static final int MAX_PATTERNS = 64;
    private static final int MAX_REASON_BYTES = 1024;
    private static final int HELLO_BYTES = 4 + 8 + 1 + 1 + 3 * 4 + 2 * Gid.BYTES + 4 + 2 * 4 + 2 * 4;
    private static final int GRANT_BYTES = 24;
    private static final int NUMBER_BYTES = 1;
    private static final int GO_NUMBER = 5;

    /** Number, reader and writer of each message. Numbers are never reused. */
    private static final List<Row<?>> ROWS = List.of(
            new Row<>(1, Hello.class, HELLO_BYTES, LinkCodec::getHello, LinkCodec::putHello),
            new Row<>(
                    2, Ready.class, 8, in -> new Ready(in.getLong()), (out, ready) -> out.putLong(ready.peerSession())),
            new Row<>(3, Pattern.class, LinkCodec::patternBytes, LinkCodec::getPattern, LinkCodec::putPattern),
            new Row<>(
                    4,
                    Calibrated.class,
                    4,
                    in -> new Calibrated(in.getInt()),
                    (out, calibrated) -> out.putInt(calibrated.messageBytes())),
            new Row<>(
                    GO_NUMBER,
                    Go.class,
                    go -> 4 + GRANT_BYTES * go.grants().size(),
                    LinkCodec::getGo,
                    LinkCodec::putGo),
            new Row<>(6, Skip.class, 8, in -> new Skip(in.getLong()), (out, skip) -> out.putLong(skip.token())),
            new Row<>(
                    7,
                    Skipped.class,
                    8,
                    in -> new Skipped(in.getLong()),
                    (out, skipped) -> out.putLong(skipped.token())),
            new Row<>(8, Bye.class, 0, in -> new Bye(), (out, bye) -> {}),
            new Row<>(9, Down.class, MAX_REASON_BYTES, LinkCodec::getDown, (out, down) -> out.put(reason(down))));

    private static final Map<Class<?>, Row<?>> BY_TYPE = ROWS.stream().collect(toMap(Row::type, row -> row));
    private static final Map<Integer, Row<?>> BY_NUMBER = ROWS.stream().collect(toMap(Row::number, row -> row));

    /** @param room the most bytes that its components take */
    private record Row<T extends LinkMessage>(
            int number,
            Class<T> type,
            ToIntFunction<T> room,
            Function<ByteBuffer, T> reader,
            BiConsumer<ByteBuffer, T> writer) {

        Row(int number, Class<T> type, int room, Function<ByteBuffer, T> reader, BiConsumer<ByteBuffer, T> writer) {
            this(number, type, message -> room, reader, writer);
        }

        ByteBuffer encode(LinkMessage message) {
            T mine = type.cast(message);
            ByteBuffer out =
                    ByteBuffer.allocate(NUMBER_BYTES + room.applyAsInt(mine)).put((byte) number);
            writer.accept(out, mine);
            return out.flip();
        }
    }

    private LinkCodec() {}

    public static ByteBuffer encode(LinkMessage message) {
        return Objects.requireNonNull(BY_TYPE.get(message.getClass())).encode(message);
    }

    /** Returns whether an encoded message is a {@link Go}. */
    public static boolean isGo(ByteBuffer encoded) {
        return encoded.hasRemaining() && encoded.get(encoded.position()) == GO_NUMBER;
    }

    /** @throws IllegalArgumentException if the bytes are not one whole message within limits */
    public static LinkMessage decode(ByteBuffer in) {
        if (in.remaining() > OutOfBand.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("a message of " + in.remaining() + " bytes is too large");
        }
        try {
            LinkMessage message = rowOf(in.get()).reader().apply(in);
            if (in.hasRemaining()) {
                throw new IllegalArgumentException(in.remaining() + " bytes follow the message");
            }
            return message;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("the message was cut short", e);
        }
    }

    private static Row<?> rowOf(byte number) {
        Row<?> row = BY_NUMBER.get((int) number);
        if (row == null) {
            throw new IllegalArgumentException("no message is of kind " + number);
        }
        return row;
    }

    private static Down getDown(ByteBuffer in) {
        String why = printable(StandardCharsets.UTF_8.decode(in.slice()).toString());
        in.position(in.limit());
        return new Down(why);
    }

    private static void putHello(ByteBuffer out, Hello hello) {
        out.putInt(hello.version()).putLong(hello.session());
        out.put((byte) hello.mode().code()).put((byte) (hello.summed() ? 1 : 0));
        out.putInt(hello.lid()).putInt(hello.queuePairNumber()).putInt(hello.packetSequenceNumber());
        putGid(out, hello.addresses().ipv4());
        putGid(out, hello.addresses().linkLocal());
        out.putInt(hello.pathMtu());
        out.putInt(hello.granted().send()).putInt(hello.granted().receive());
        out.putInt(hello.frameBytes()).putInt(hello.maxMessageBytes());
    }

    private static Hello getHello(ByteBuffer in) {
        int version = in.getInt();
        long session = in.getLong();
        return new Hello(
                version,
                session,
                LinkMode.of(in.get()),
                in.get() != 0,
                in.getInt(),
                in.getInt(),
                in.getInt(),
                new PortAddresses(getGid(in), getGid(in)),
                in.getInt(),
                new GrantedDepth(in.getInt(), in.getInt()),
                in.getInt(),
                in.getInt());
    }

    private static void putGid(ByteBuffer out, @Nullable Gid gid) {
        out.put(gid == null ? new byte[Gid.BYTES] : gid.toBytes());
    }

    private static @Nullable Gid getGid(ByteBuffer in) {
        byte[] bytes = new byte[Gid.BYTES];
        in.get(bytes);
        Gid gid = Gid.of(bytes);
        return gid.isZero() ? null : gid;
    }

    private static int patternBytes(Pattern pattern) {
        return 4 + pattern.offers().stream().mapToInt(Offer::encodedBytes).sum();
    }

    private static void putPattern(ByteBuffer out, Pattern pattern) {
        out.putInt(pattern.offers().size());
        pattern.offers().forEach(offer -> offer.encode(out));
    }

    private static Pattern getPattern(ByteBuffer in) {
        int count = count(in.getInt(), MAX_PATTERNS);
        List<Offer> offers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            offers.add(Offer.decode(in));
        }
        return new Pattern(offers);
    }

    private static void putGrant(ByteBuffer out, Grant grant) {
        out.putLong(grant.token()).putInt(grant.first()).putInt(grant.count());
        out.putInt(grant.messageBytes()).putInt(grant.lastBytes());
    }

    private static void putGo(ByteBuffer out, Go go) {
        out.putInt(go.grants().size());
        go.grants().forEach(grant -> putGrant(out, grant));
    }

    private static Go getGo(ByteBuffer in) {
        int count = count(in.getInt(), MAX_GRANTS);
        List<Grant> grants = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            grants.add(new Grant(in.getLong(), in.getInt(), in.getInt(), in.getInt(), in.getInt()));
        }
        return new Go(grants);
    }

    private static int count(int count, int limit) {
        if (count < 1 || count > limit) {
            throw new IllegalArgumentException("a message cannot hold " + count + " entries");
        }
        return count;
    }

    /** It goes to logs and terminals, where a control character could forge lines: each is read as a space. */
    private static String printable(String why) {
        return why.codePoints()
                .map(codePoint -> isControl(codePoint) ? ' ' : codePoint)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isControl(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    private static byte[] reason(Down down) {
        byte[] bytes = down.why().getBytes(StandardCharsets.UTF_8);
        return bytes.length <= MAX_REASON_BYTES ? bytes : Arrays.copyOf(bytes, MAX_REASON_BYTES);
    }
}
