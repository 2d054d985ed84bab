package io.boltshuffle.cli.joining;

import io.boltshuffle.wire.Secret;
import java.util.HexFormat;

/**
 * A machine that has joined, as the first machine keeps it.
 *
 * @param id names its key
 * @param key its own secret, in hexadecimal digits
 * @param name as the machine calls itself, for people
 * @param address from which it called last
 * @param left whether it said that it leaves
 * @param sinceMillis when it joined or left last
 */
public record Member(String id, String key, String name, String address, boolean left, long sinceMillis) {
    Secret secret() {
        return Secret.of(HexFormat.of().parseHex(key));
    }

    @Override
    public String toString() {
        return "Member[" + name + "]";
    }
}
