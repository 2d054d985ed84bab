package io.boltshuffle.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostNameTest {

    @ParameterizedTest
    @CsvSource({
        "::1, 0:0:0:0:0:0:0:1",
        "[::1], 0:0:0:0:0:0:0:1",
        "[0:0:0:0:0:0:0:1], 0:0:0:0:0:0:0:1",
        "FD00::a, fd00:0:0:0:0:0:0:a",
    })
    void anIpv6AddressHasOneSpelling(String spelling, String plain) {
        assertThat(HostName.plain(spelling)).isEqualTo(plain);
        assertThat(HostName.plain(plain)).isEqualTo(plain);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mac1", "Mac_1.local", "B\u00fcro.local", "10.0.0.1", "fd00:0:0:0:0:0:0:a", "fe80::1%en0"})
    void aHostMayHaveThisName(String name) {
        assertThat(HostName.isPossible(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ".", "..", "../..", "/", "a/b", "a\\b", "a b", "a\tb"})
    void noHostHasThisName(String name) {
        assertThat(HostName.isPossible(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mac1", "Mac1.local", "10.0.0.1", "", "not:an:address", "fe80::1%no-such-port"})
    void anyOtherNameStaysAsItIs(String name) {
        assertThat(HostName.plain(name)).isEqualTo(name);
    }
}
