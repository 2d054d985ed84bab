package io.boltshuffle.cli.joining;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.boltshuffle.cli.joining.JoinMessage.Greeting;
import io.boltshuffle.cli.joining.JoinMessage.Request;
import io.boltshuffle.wire.Secret;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Makes and checks the proofs of both sides that they know the code or key in this connection. Each proof covers the
 * fresh numbers of both, the certificate that its maker sees, and the request, so it is worth nothing in another
 * connection, with another certificate, or for another wish.
 */
final class JoinProof {
    private static final int NONCE_BYTES = 32;

    private JoinProof() {}

    static String nonce(SecureRandom random) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return HexFormat.of().formatHex(nonce);
    }

    /** Returns the caller's proof, of a request whose own proof does not matter. */
    static String ofCaller(Secret secret, Greeting greeting, Request request, Fingerprint certificate) {
        return HexFormat.of().formatHex(secret.sign(parts("caller", greeting, request, certificate)));
    }

    static String ofHost(Secret secret, Greeting greeting, Request request, Fingerprint certificate) {
        return HexFormat.of().formatHex(secret.sign(parts("host", greeting, request, certificate)));
    }

    static boolean isOfCaller(String proof, Secret secret, Greeting greeting, Request request, Fingerprint seen) {
        return verify(proof, secret, parts("caller", greeting, request, seen));
    }

    static boolean isOfHost(String proof, Secret secret, Greeting greeting, Request request, Fingerprint seen) {
        return verify(proof, secret, parts("host", greeting, request, seen));
    }

    private static boolean verify(String proof, Secret secret, byte[][] parts) {
        try {
            return secret.verify(HexFormat.of().parseHex(proof), parts);
        } catch (IllegalArgumentException e) {
            return false; // no hexadecimal digits
        }
    }

    private static byte[][] parts(String maker, Greeting greeting, Request request, Fingerprint certificate) {
        return new byte[][] {
            ("boltshuffle join " + JoinMessage.VERSION + " " + maker).getBytes(UTF_8),
            greeting.nonce().getBytes(UTF_8),
            request.nonce().getBytes(UTF_8),
            certificate.bytes(),
            request.release().getBytes(UTF_8),
            request.wish().name().getBytes(UTF_8),
            request.member().getBytes(UTF_8),
            request.name().getBytes(UTF_8)
        };
    }
}
