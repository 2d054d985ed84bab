package io.boltshuffle.wire;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A shared secret. It is never printed, and is compared in constant time. */
public final class Secret {

    /** No secret: nothing can be proved by it. */
    public static final Secret NONE = new Secret(new byte[0]);

    private static final String ALGORITHM = "HmacSHA256";
    private final byte[] bytes;

    private Secret(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Secret of(byte[] bytes) {
        return bytes.length == 0 ? NONE : new Secret(bytes.clone());
    }

    public boolean isPresent() {
        return bytes.length > 0;
    }

    /**
     * Returns the HMAC-SHA256 of the parts, each preceded by its length so that no two lists of parts give the same
     * input.
     *
     * @throws IllegalStateException if there is no secret
     */
    public byte[] sign(byte[]... parts) {
        if (!isPresent()) {
            throw new IllegalStateException("no secret to sign with");
        }
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(bytes, ALGORITHM));
            for (byte[] part : parts) {
                mac.update(new byte[] {
                    (byte) (part.length >>> 24),
                    (byte) (part.length >>> 16),
                    (byte) (part.length >>> 8),
                    (byte) part.length
                });
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /** Returns whether {@code mac} is what {@link #sign} returns for these parts. */
    public boolean verify(byte[] mac, byte[]... parts) {
        return isPresent() && MessageDigest.isEqual(mac, sign(parts));
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && MessageDigest.isEqual(bytes, secret.bytes);
    }

    @Override
    public int hashCode() {
        return bytes.length;
    }

    @Override
    public String toString() {
        return isPresent() ? "Secret[hidden]" : "Secret[none]";
    }
}
