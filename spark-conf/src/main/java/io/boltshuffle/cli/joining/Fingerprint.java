package io.boltshuffle.cli.joining;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The SHA-256 of a certificate.
 *
 * @param hex all of it
 */
public record Fingerprint(String hex) {
    private static final int SHOWN_DIGITS = 24;

    static Fingerprint of(Certificate certificate) {
        try {
            return new Fingerprint(HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded())));
        } catch (CertificateEncodingException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256 and encodes certificates", e);
        }
    }

    byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    /** Returns so much of it, in groups, that two people can compare it. */
    public String shown() {
        return hex.substring(0, SHOWN_DIGITS).toUpperCase(Locale.ROOT).replaceAll("(.{4})(?=.)", "$1 ");
    }
}
