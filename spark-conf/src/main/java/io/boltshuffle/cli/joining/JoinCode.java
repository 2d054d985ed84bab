package io.boltshuffle.cli.joining;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.boltshuffle.wire.Secret;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.Optional;

/**
 * The code that a person carries from one machine to the other: 80 random bits, written as Crockford's base 32 in four
 * groups. So many bits cannot be guessed, not even by trying against a recorded proof. It is never printed by accident.
 */
public final class JoinCode {
    private static final String SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final int BYTES = 10;
    private static final int BITS_PER_SYMBOL = 5;
    private static final int LENGTH = BYTES * 8 / BITS_PER_SYMBOL;
    private static final int GROUP = 4;

    private final byte[] bits;

    private JoinCode(byte[] bits) {
        this.bits = bits;
    }

    static JoinCode random(SecureRandom random) {
        byte[] bits = new byte[BYTES];
        random.nextBytes(bits);
        return new JoinCode(bits);
    }

    /** Reads a code as people type it: in small letters, without hyphens, with O for zero and I or L for one. */
    public static Optional<JoinCode> parse(String typed) {
        String symbols = typed.toUpperCase(Locale.ROOT)
                .replaceAll("[-\\s]", "")
                .replace('O', '0')
                .replaceAll("[IL]", "1");
        if (symbols.length() != LENGTH || symbols.chars().anyMatch(symbol -> SYMBOLS.indexOf(symbol) < 0)) {
            return Optional.empty();
        }
        byte[] bits = new byte[BYTES];
        for (int bit = 0; bit < BYTES * 8; bit++) {
            int symbol = SYMBOLS.indexOf(symbols.charAt(bit / BITS_PER_SYMBOL));
            int value = (symbol >> (BITS_PER_SYMBOL - 1 - bit % BITS_PER_SYMBOL)) & 1;
            bits[bit / 8] |= (byte) (value << (7 - bit % 8));
        }
        return Optional.of(new JoinCode(bits));
    }

    /** Returns, for example, {@code 7F3K-0M2C-XTZ9-41QB}. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < LENGTH; at++) {
            int symbol = 0;
            for (int bit = at * BITS_PER_SYMBOL; bit < (at + 1) * BITS_PER_SYMBOL; bit++) {
                symbol = (symbol << 1) | ((bits[bit / 8] >> (7 - bit % 8)) & 1);
            }
            text.append(at > 0 && at % GROUP == 0 ? "-" : "").append(SYMBOLS.charAt(symbol));
        }
        return text.toString();
    }

    /** Returns the key that both sides make of the code, and prove to know. */
    byte[] key() {
        return Secret.of(bits).sign("boltshuffle join code".getBytes(UTF_8));
    }

    @Override
    public String toString() {
        return "JoinCode[hidden]";
    }
}
