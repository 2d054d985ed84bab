package io.boltshuffle.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
    private static final List<String> VERBS = List.of("agent", "bench", "cluster", "demo", "doctor", "test", "verify");

    @ParameterizedTest
    @CsvSource({
        "dmeo, demo", // neighbours changed places
        "tset, test",
        "clutser, cluster",
        "verfy, verify",
        "dem, demo",
        "benchh, bench",
        "dector, doctor"
    })
    void aSlipIsUnderstood(String typed, String meant) {
        assertThat(Nearest.of(typed, VERBS)).contains(meant);
    }

    @Test
    void anotherWordIsNot() {
        assertThat(Nearest.of("install", VERBS)).isEmpty();
        assertThat(Nearest.of("dm", VERBS)).isEmpty();
        assertThat(Nearest.of("demo", List.of())).isEmpty();
    }
}
