package io.boltshuffle.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecretTest {

    private static final Secret SECRET = Secret.of("key".getBytes(UTF_8));

    @Test
    void theSamePartsAreVerifiedAndOthersAreNot() {
        byte[] mac = SECRET.sign(bytes("ab"), bytes("c"));
        assertThat(SECRET.verify(mac, bytes("ab"), bytes("c"))).isTrue();
        assertThat(SECRET.verify(mac, bytes("a"), bytes("bc"))).isFalse();
        assertThat(Secret.of(bytes("kez")).verify(mac, bytes("ab"), bytes("c"))).isFalse();
    }

    @Test
    void theMacIsHmacSha256OverLengthAndPart() {
        // printf '\0\0\0\1a' | openssl dgst -sha256 -hmac key
        assertThat(HexFormat.of().formatHex(SECRET.sign(bytes("a"))))
                .isEqualTo("ec8f0062de0d9594ea16dd1dea0bac5d6abc73caadc6a3c78f5160c3b672f904");
    }

    @Test
    void withoutASecretNothingIsSignedAndNothingVerified() {
        assertThat(Secret.NONE.verify(new byte[WireLimits.MAC_BYTES])).isFalse();
        assertThatThrownBy(Secret.NONE::sign).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aSecretIsNeverPrinted() {
        assertThat(SECRET).hasToString("Secret[hidden]");
        assertThat(new Registration("a", "1", List.of(), 64, "sort", SECRET).toString())
                .doesNotContain("key")
                .doesNotContain("6b6579");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
