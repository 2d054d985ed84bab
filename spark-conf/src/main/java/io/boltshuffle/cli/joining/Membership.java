package io.boltshuffle.cli.joining;

import io.boltshuffle.wire.Secret;
import java.util.HexFormat;

/**
 * The facts that a machine keeps of the cluster that it joined.
 *
 * @param host of the first machine, as the user named it
 * @param fingerprint of the first machine's certificate
 * @param id names this machine's key there
 * @param key this machine's own secret, in hexadecimal digits
 */
public record Membership(String host, int port, String fingerprint, String id, String key) {
    Secret secret() {
        return Secret.of(HexFormat.of().parseHex(key));
    }

    @Override
    public String toString() {
        return "Membership[" + host + "]";
    }
}
