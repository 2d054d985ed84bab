package io.boltshuffle.rdma.link.protocol;

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
import org.jspecify.annotations.Nullable;

/** Layout of {@link LinkMessage}s: one byte of kind, then the components in order, big-endian. Decoding trusts nothing. */
public final class LinkCodec {

    public static final int VERSION = 2;
    static final int MAX_GRANTS = 1024;
    static final int MAX_PATTERNS = 64;
    private static final int MAX_REASON_BYTES = 1024;

    private static final byte HELLO = 1;
    private static final byte READY = 2;
    private static final byte PATTERN = 3;
    private static final byte CALIBRATED = 4;
    private static final byte GO = 5;
    private static final byte SKIP = 6;
    private static final byte SKIPPED = 7;
    private static final byte BYE = 8;
    private static final byte DOWN = 9;

    private LinkCodec() {}

    public static ByteBuffer encode(LinkMessage message) {
        ByteBuffer out = ByteBuffer.allocate(bytes(message));
        if (message instanceof Hello hello) {
            putHello(out.put(HELLO), hello);
        } else if (message instanceof Ready ready) {
            out.put(READY).putLong(ready.peerSession());
        } else if (message instanceof Pattern pattern) {
            out.put(PATTERN).putInt(pattern.offers().size());
            pattern.offers().forEach(offer -> offer.encode(out));
        } else if (message instanceof Calibrated calibrated) {
            out.put(CALIBRATED).putInt(calibrated.messageBytes());
        } else if (message instanceof Go go) {
            out.put(GO).putInt(go.grants().size());
            go.grants().forEach(grant -> putGrant(out, grant));
        } else if (message instanceof Skip skip) {
            out.put(SKIP).putLong(skip.token());
        } else if (message instanceof Skipped skipped) {
            out.put(SKIPPED).putLong(skipped.token());
        } else if (message instanceof Down down) {
            out.put(DOWN).put(reason(down));
        } else {
            out.put(BYE);
        }
        return out.flip();
    }

    private static int bytes(LinkMessage message) {
        if (message instanceof Hello) {
            return 128;
        }
        if (message instanceof Pattern pattern) {
            return 5 + pattern.offers().stream().mapToInt(Offer::encodedBytes).sum();
        }
        if (message instanceof Go go) {
            return 5 + 24 * go.grants().size();
        }
        return message instanceof Down ? 1 + MAX_REASON_BYTES : 9;
    }

    /** @throws IllegalArgumentException if the bytes are not one whole message within limits */
    public static LinkMessage decode(ByteBuffer in) {
        if (in.remaining() > OutOfBand.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("a message of " + in.remaining() + " bytes is too large");
        }
        try {
            LinkMessage message = decodeBody(in.get(), in);
            if (in.hasRemaining()) {
                throw new IllegalArgumentException(in.remaining() + " bytes follow the message");
            }
            return message;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("the message was cut short", e);
        }
    }

    private static LinkMessage decodeBody(byte kind, ByteBuffer in) {
        return switch (kind) {
            case HELLO -> getHello(in);
            case READY -> new Ready(in.getLong());
            case PATTERN -> getPattern(in);
            case CALIBRATED -> new Calibrated(in.getInt());
            case GO -> getGo(in);
            case SKIP -> new Skip(in.getLong());
            case SKIPPED -> new Skipped(in.getLong());
            case BYE -> new Bye();
            case DOWN -> {
                String why = printable(StandardCharsets.UTF_8.decode(in.slice()).toString());
                in.position(in.limit());
                yield new Down(why);
            }
            default -> throw new IllegalArgumentException("no message is of kind " + kind);
        };
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
