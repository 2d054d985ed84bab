package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CalibrationHistoryTest {

    private static final long START = 1_000_000_000;
    private static final Candidate SMALL = new Candidate(4096, 32 << 10);
    private static final Candidate LARGE = new Candidate(4096, 64 << 10);

    private final CalibrationHistory history = new CalibrationHistory();

    @Test
    void whatBrokeIsLeftOutAndSoIsWhatStrainsTheCableMore() {
        history.broke(LARGE, START);

        assertThat(history.rulesOut(LARGE, START)).isTrue();
        assertThat(history.rulesOut(SMALL, START)).isFalse();

        history.broke(SMALL, START);

        assertThat(history.rulesOut(SMALL, START)).isTrue();
    }

    /** An hour of transient faults once ruled out every candidate, and RDMA never came back. */
    @Test
    void whatBrokeLongAgoHasAnotherChance() {
        history.broke(SMALL, START);
        history.broke(LARGE, START + 1);

        assertThat(history.rulesOut(SMALL, START + CalibrationHistory.FORGET_NANOS - 1))
                .isTrue();
        assertThat(history.rulesOut(SMALL, START + CalibrationHistory.FORGET_NANOS))
                .isFalse();
        assertThat(history.rulesOut(LARGE, START + CalibrationHistory.FORGET_NANOS))
                .isTrue();
    }

    @Test
    void whatBreaksAgainIsLeftOutForAsLongAgain() {
        history.broke(SMALL, START);
        history.broke(SMALL, START + CalibrationHistory.FORGET_NANOS - 1);

        assertThat(history.rulesOut(SMALL, START + CalibrationHistory.FORGET_NANOS))
                .isTrue();
    }
}
