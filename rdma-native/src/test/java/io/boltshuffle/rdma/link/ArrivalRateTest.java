package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ArrivalRateTest {

    private static final long START = 1_000_000_000;

    private final ArrivalRate rate = new ArrivalRate();

    @Test
    void beforeAnythingArrivedTheGuessHolds() {
        rate.idle(START);
        rate.arrived(0, START + 1000);

        assertThat(rate.bytesPerNano(2.5)).isEqualTo(2.5);
    }

    @Test
    void aCableThatIsFasterThanTheGuessIsFoundToBe() {
        rate.idle(START);
        for (int i = 1; i <= 30; i++) {
            rate.arrived(4000, START + i * 1000L);
        }

        assertThat(rate.bytesPerNano(2)).isCloseTo(4, within(0.01));
    }

    @Test
    void timeWithNothingAwaitedDoesNotCount() {
        rate.idle(START);
        for (int i = 1; i <= 30; i++) {
            long at = START + i * 1_000_000L;
            rate.idle(at);
            rate.arrived(4000, at + 1000);
        }

        assertThat(rate.bytesPerNano(2)).isCloseTo(4, within(0.01));
    }

    @Test
    void aSlowSpellDoesNotLowerTheGuess() {
        rate.idle(START);
        rate.arrived(1, START + 1_000_000_000);

        assertThat(rate.bytesPerNano(2)).isEqualTo(2);
    }
}
