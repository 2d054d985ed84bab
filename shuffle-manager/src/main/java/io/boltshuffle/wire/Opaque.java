package io.boltshuffle.wire;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/** An immutable byte string whose meaning the codec does not know: a nonce, a MAC, a GID, a message of a link. */
public final class Opaque {

    private static final int SHOWN_BYTES = 32;
    private final byte[] bytes;

    private Opaque(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Opaque of(byte[] bytes) {
        return new Opaque(bytes.clone());
    }

    /** Takes what the buffer has left, by one copy. */
    public static Opaque of(ByteBuffer bytes) {
        byte[] taken = new byte[bytes.remaining()];
        bytes.get(taken);
        return new Opaque(taken);
    }

    /** Returns the bytes to read, without a copy. */
    public ByteBuffer toBuffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    public byte[] toBytes() {
        return bytes.clone();
    }

    void writeTo(WireWriter out, String field, int maxBytes) {
        out.bytes(field, bytes, maxBytes);
    }

    void writeFixedTo(WireWriter out, String field, int length) {
        out.fixed(field, bytes, length);
    }

    static Opaque read(WireReader in, String field, int maxBytes) throws WireException {
        return new Opaque(in.bytes(field, maxBytes));
    }

    static Opaque readFixed(WireReader in, String field, int length) throws WireException {
        return new Opaque(in.fixed(field, length));
    }

    /** Takes the same time for all strings of one length, because one may be a proof, and the other a guess at it. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Opaque opaque && MessageDigest.isEqual(bytes, opaque.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length <= SHOWN_BYTES ? HexFormat.of().formatHex(bytes) : bytes.length + " bytes";
    }
}
