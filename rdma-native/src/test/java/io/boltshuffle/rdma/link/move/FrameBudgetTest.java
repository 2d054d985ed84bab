package io.boltshuffle.rdma.link.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FrameBudgetTest {

    private static final int FRAMES = 8;
    private static final int MESSAGES = 3;

    private final FrameBudget budget = new FrameBudget(FRAMES, MESSAGES);

    @Test
    void largeMessagesAreBoundedByTheFramesOfTheQueue() {
        budget.take(4);
        budget.take(4);

        assertThat(budget.fits(1)).isFalse();
        budget.give(4);
        assertThat(budget.fits(4)).isTrue();
    }

    @Test
    void smallMessagesAreBoundedByTheRoomForTheirCompletions() {
        for (int i = 0; i < MESSAGES; i++) {
            budget.take(1);
        }

        assertThat(budget.free()).isPositive();
        assertThat(budget.fits(1)).isFalse();
        assertThatThrownBy(() -> budget.take(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in 3 messages");
        budget.give(1);
        assertThat(budget.fits(1)).isTrue();
    }

    @Test
    void aNarrowedWindowBoundsWhatWasGranted() {
        budget.limitTo(2);

        assertThat(budget.fits(3)).isFalse();
        assertThat(budget.fits(2)).isTrue();
    }
}
