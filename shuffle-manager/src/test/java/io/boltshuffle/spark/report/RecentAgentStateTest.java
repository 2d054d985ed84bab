package io.boltshuffle.spark.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentAgentStateTest {
    /** A clock that passes through zero, as the machine's may. */
    private final AtomicLong now = new AtomicLong(-RecentAgentState.MAX_AGE_NANOS / 2);

    private final AtomicInteger asked = new AtomicInteger();
    private final RecentAgentState recent =
            new RecentAgentState(() -> AgentState.unknown("answer " + asked.incrementAndGet()), now::get);

    @Test
    void theFirstIsAskedForAtOnce() {
        assertThat(recent.get().problem()).isEqualTo("answer 1");
    }

    @Test
    void manyReportsOfOneSecondAskOnce() {
        for (int report = 0; report < 5; report++) {
            assertThat(recent.get().problem()).isEqualTo("answer 1");
            now.addAndGet(RecentAgentState.MAX_AGE_NANOS / 5);
        }
    }

    @Test
    void anOldAnswerIsNotGivenAgain() {
        recent.get();
        now.addAndGet(RecentAgentState.MAX_AGE_NANOS);

        assertThat(recent.get().problem()).isEqualTo("answer 2");
        assertThat(recent.get().problem()).isEqualTo("answer 2");
    }
}
