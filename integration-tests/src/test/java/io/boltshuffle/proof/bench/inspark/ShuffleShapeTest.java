package io.boltshuffle.proof.bench.inspark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShuffleShapeTest {
    private static final long HOST_BYTES = 128L << 20;

    @ParameterizedTest
    @ValueSource(ints = {4 << 10, 32 << 10, 128 << 10, 1 << 20, 16 << 20})
    void theBlocksOfAHostHaveTheSizeThatWasAskedFor(int blockBytes) {
        assertThat(ShuffleShape.of(blockBytes, HOST_BYTES).hostBytes()).isEqualTo(HOST_BYTES);
    }

    @Test
    void aReducerReadsManySmallBlocksAndFewLargeOnes() {
        assertThat(ShuffleShape.of(4 << 10, HOST_BYTES).mapsPerHost()).isEqualTo(128);
        assertThat(ShuffleShape.of(1 << 20, HOST_BYTES).mapsPerHost()).isEqualTo(8);
        assertThat(ShuffleShape.of(16 << 20, HOST_BYTES).mapsPerHost()).isEqualTo(1);
    }

    @Test
    void thereIsABlockHoweverLittleIsAskedFor() {
        assertThat(ShuffleShape.of(16 << 20, 1)).isEqualTo(new ShuffleShape(16 << 20, 1, 1));
    }
}
