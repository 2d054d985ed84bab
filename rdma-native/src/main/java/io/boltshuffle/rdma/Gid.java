package io.boltshuffle.rdma;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A 16-byte global identifier. It is immutable. Programs choose a GID by its content, never by its index in the table.
 */
public final class Gid {

    public static final int BYTES = 16;
    private final byte[] bytes;

    private Gid(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns the identifier of these bytes.
     *
     * @throws IllegalArgumentException unless exactly 16 bytes are given
     */
    public static Gid of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a GID has 16 bytes, not " + bytes.length);
        }
        return new Gid(bytes.clone());
    }

    /** Returns a copy of the 16 bytes in network order. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    public boolean isZero() {
        for (byte b : bytes) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns true for {@code ::ffff:a.b.c.d}. */
    public boolean isIpv4Mapped() {
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return bytes[10] == (byte) 0xff && bytes[11] == (byte) 0xff;
    }

    /** Returns true for {@code fe80::/10}. */
    public boolean isLinkLocal() {
        return bytes[0] == (byte) 0xfe && (bytes[1] & 0xc0) == 0x80;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Gid gid && Arrays.equals(bytes, gid.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns eight groups of four hex digits, as {@code ibv_devinfo -v} prints them. */
    @Override
    public String toString() {
        String hex = HexFormat.of().formatHex(bytes);
        StringBuilder groups = new StringBuilder(hex.substring(0, 4));
        for (int i = 4; i < hex.length(); i += 4) {
            groups.append(':').append(hex, i, i + 4);
        }
        return groups.toString();
    }
}
