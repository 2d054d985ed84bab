package io.boltshuffle.rdma.link.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalRateTest {

    private static final long START = 1_000_000_000;
    private static final long MIB = 1 << 20;

    private final ArrivalRate rate = new ArrivalRate();

    @Test
    void beforeAnythingArrivedTheGuessHolds() {
        rate.idle(START);
        rate.arrived(0, true, START + 1000);

        assertThat(rate.bytesPerNano(2.5)).isEqualTo(2.5);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 4})
    void aSteadyRateIsFoundWhateverWasGuessed(double bytesPerNano) {
        rate.idle(START);
        for (int i = 1; i <= 30; i++) {
            rate.arrived(2 * MIB, true, START + (long) (2L * i * MIB / bytesPerNano));
        }

        assertThat(rate.bytesPerNano(2)).isCloseTo(bytesPerNano, within(0.01));
    }

    @Test
    void timeWithNothingAwaitedDoesNotCount() {
        rate.idle(START);
        for (int i = 1; i <= 30; i++) {
            long at = START + i * 1_000_000_000L;
            rate.idle(at);
            rate.arrived(2 * MIB, true, at + 2 * MIB / 4);
        }

        assertThat(rate.bytesPerNano(2)).isCloseTo(4, within(0.01));
    }

    /** A message at a time: each takes as long as the way, however fast the cable is. */
    @Test
    void aFewSmallMessagesDoNotLowerTheRate() {
        rate.idle(START);
        rate.arrived(2 * MIB, true, START + 2 * MIB / 4);
        rate.idle(START * 2);
        rate.arrived(4096, true, START * 2 + 40_960);

        assertThat(rate.bytesPerNano(2)).isCloseTo(4, within(0.01));
    }

    @Test
    void whatArrivedWhenNothingMoreWasOnItsWayOnlyRaisesTheRate() {
        rate.idle(START);
        rate.arrived(2 * MIB, true, START + 2 * MIB / 4);
        rate.arrived(2 * MIB, false, START * 2);
        assertThat(rate.bytesPerNano(2)).isCloseTo(4, within(0.01));

        rate.idle(START * 3);
        rate.arrived(2 * MIB, false, START * 3 + 2 * MIB / 8);

        assertThat(rate.bytesPerNano(2)).isCloseTo(8, within(0.01));
    }

    @Test
    void bytesSeenBeforeTheClockMovedAreNotForgotten() {
        rate.idle(START);
        rate.arrived(MIB, true, START);
        rate.arrived(MIB, true, START + 2 * MIB / 4);

        assertThat(rate.bytesPerNano(2)).isCloseTo(4, within(0.01));
    }
}
