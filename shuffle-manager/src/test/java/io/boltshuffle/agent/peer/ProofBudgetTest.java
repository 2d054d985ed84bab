package io.boltshuffle.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.testing.SimLoop;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Shows how many proofs an agent makes for strangers, however many call. */
class ProofBudgetTest {

    private static final int APPLICATIONS = 200;
    private static final long MOST_OF_ONE_MOMENT = ProofBudget.A_SECOND + APPLICATIONS;

    private final SimLoop loop = new SimLoop();
    private final ProofBudget budget = new ProofBudget(loop::nanoTime);

    @Test
    void connectionsOfOneMomentTakeASecondsProofsAndNoMore() {
        assertThat(takenOf(10_000)).isBetween(ProofBudget.A_SECOND, MOST_OF_ONE_MOMENT);
        assertThat(budget.take(1)).isFalse();
    }

    @Test
    void aFloodOfAMinuteTakesAMinutesProofs() {
        long taken = 0;
        for (int millis = 0; millis < 60_000; millis += 10) {
            taken += takenOf(100);
            loop.advance(Duration.ofMillis(10));
        }
        assertThat(taken).isBetween(60 * ProofBudget.A_SECOND, 61 * ProofBudget.A_SECOND + APPLICATIONS);
    }

    @Test
    void timeWithoutCallsSavesNoMoreThanASecondsProofs() {
        takenOf(10_000);
        loop.advance(Duration.ofHours(1));
        assertThat(takenOf(10_000)).isBetween(ProofBudget.A_SECOND, MOST_OF_ONE_MOMENT);
    }

    @Test
    void oneConnectionIsHeardHoweverManyApplicationsAreServed() {
        assertThat(budget.take((int) (10 * ProofBudget.A_SECOND))).isTrue();
        loop.advance(Duration.ofSeconds(8));
        assertThat(budget.take(1)).isFalse();
        loop.advance(Duration.ofSeconds(2));
        assertThat(budget.take(1)).isTrue();
    }

    private long takenOf(int connections) {
        long taken = 0;
        for (int i = 0; i < connections; i++) {
            if (budget.take(APPLICATIONS)) {
                taken += APPLICATIONS;
            }
        }
        return taken;
    }
}
