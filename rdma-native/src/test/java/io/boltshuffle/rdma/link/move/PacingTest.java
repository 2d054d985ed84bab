package io.boltshuffle.rdma.link.move;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Paces a poller in virtual time, at 4 bytes a nanosecond. */
class PacingTest {

    private static final long SPEED = 4;
    private static final long START = 1_000_000_000;

    private final Pacing pacing = new Pacing();

    private long pauseAt(long nanos, long bytesUnderWay) {
        return pacing.pauseNanos(START + nanos, bytesUnderWay, bytesUnderWay / SPEED, null);
    }

    /** A round in a second: less than a hundredth of a core, as long as a round takes less than 10 ms. */
    @Test
    void anIdleLinkIsLookedAtOnceInASecond() {
        pacing.worked(START);

        assertThat(pauseAt(Pacing.SPIN_NANOS, 0)).isEqualTo(Pacing.LONGEST_IDLE_NANOS);
    }

    @Test
    void afterSomethingHappenedTheNextIsAwaitedWithoutSleepForAMoment() {
        pacing.worked(START);

        assertThat(pauseAt(0, 0)).isZero();
        assertThat(pauseAt(Pacing.SPIN_NANOS - 1, 0)).isZero();
    }

    @Test
    void aSmallMessageIsAwaitedWithoutSleepButNotForEver() {
        pacing.worked(START);

        assertThat(pauseAt(0, 4096)).isZero();
        assertThat(pauseAt(Pacing.SPIN_NANOS, 4096)).isPositive();
    }

    @Test
    void muchUnderWayIsSleptForAndNotSpunFor() {
        pacing.worked(START);

        assertThat(pauseAt(0, 800_000)).isEqualTo(200_000);
        assertThat(pauseAt(0, 4096)).as("in the gap of a bulk transfer").isPositive();
    }

    @Test
    void waitingLongerThanExpectedSleepsLongerUpToALimit() {
        pacing.worked(START);
        long first = pauseAt(0, 800_000);
        long second = pauseAt(first, 800_000);
        long last = second;
        for (int i = 0; i < 20; i++) {
            last = pauseAt(second, 800_000);
        }

        assertThat(second).isEqualTo(2 * first);
        assertThat(last).isEqualTo(Pacing.LONGEST_BUSY_NANOS);
    }

    @Test
    void whatNobodyWaitsForIsSleptForAsLongAsAsked() {
        pacing.worked(START);

        assertThat(pacing.pauseNanos(START, 800_000, Pacing.LONGEST_SERVING_NANOS, null))
                .isEqualTo(Pacing.LONGEST_SERVING_NANOS);
    }

    @Test
    void aDeadlineIsNotSleptThrough() {
        pacing.worked(START);

        assertThat(pacing.pauseNanos(START + Pacing.SPIN_NANOS, 0, 0, START + Pacing.SPIN_NANOS + 7))
                .isEqualTo(7);
        assertThat(pacing.pauseNanos(START + Pacing.SPIN_NANOS, 0, 0, START)).isEqualTo(1);
    }
}
