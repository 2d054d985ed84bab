package io.boltshuffle.proof.bench.inspark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LatencyNanosTest {
    @Test
    void percentilesAreThoseOfTheNearestRank() {
        long[] upToTwoHundred = LongStream.rangeClosed(1, 200).map(i -> 201 - i).toArray();

        assertThat(LatencyNanos.of(upToTwoHundred)).isEqualTo(new LatencyNanos(100, 198, 200));
    }

    @Test
    void aSingleValueIsAllOfThem() {
        assertThat(LatencyNanos.of(new long[] {7})).isEqualTo(new LatencyNanos(7, 7, 7));
    }
}
