package io.boltshuffle.cli.joining;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JoinCodeTest {
    private final SecureRandom random = new SecureRandom();

    @Test
    void aCodeIsReadBackAndIsNeverPrintedByAccident() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            JoinCode code = JoinCode.random(random);
            assertThat(code.text()).matches("([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}");
            assertThat(JoinCode.parse(code.text()).orElseThrow().key()).isEqualTo(code.key());
            assertThat(code).hasToString("JoinCode[hidden]");
            seen.add(code.text());
        }
        assertThat(seen).hasSize(1_000);
    }

    /** Eighty bits, each of which counts. */
    @Test
    void everySymbolChangesTheKey() {
        String text = JoinCode.random(random).text();
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) != '-') {
                String other = text.substring(0, at) + (text.charAt(at) == 'Z' ? 'Y' : 'Z') + text.substring(at + 1);
                assertThat(JoinCode.parse(other).orElseThrow().key())
                        .isNotEqualTo(JoinCode.parse(text).orElseThrow().key());
            }
        }
    }

    @Test
    void itIsReadAsPeopleTypeIt() {
        byte[] key = JoinCode.parse("0123-4567-89AB-1110").orElseThrow().key();

        assertThat(JoinCode.parse("o123-4567-89ab-iLIO").orElseThrow().key()).isEqualTo(key);
        assertThat(JoinCode.parse(" 0123456789ab1110 ".toLowerCase(Locale.ROOT))
                        .orElseThrow()
                        .key())
                .isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "0123-4567-89AB-111", "0123-4567-89AB-11100", "0123-4567-89AB-111U", "0123_4567"})
    void whatIsNoCodeIsRefused(String typed) {
        assertThat(JoinCode.parse(typed)).isEmpty();
    }
}
