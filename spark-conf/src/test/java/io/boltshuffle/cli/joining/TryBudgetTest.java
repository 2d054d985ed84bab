package io.boltshuffle.cli.joining;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class TryBudgetTest {
    private long nowNanos = Long.MAX_VALUE - 10; // a clock that overflows
    private final TryBudget budget = new TryBudget(() -> nowNanos);

    @Test
    void anAddressHasSoManyTriesAMinuteAndAnotherOneHasItsOwn() throws UnknownHostException {
        InetAddress guesser = InetAddress.getByName("10.0.0.66");
        for (int i = 0; i < TryBudget.TRIES; i++) {
            assertThat(budget.take(guesser)).isTrue();
        }
        assertThat(budget.take(guesser)).isFalse();
        assertThat(budget.take(InetAddress.getByName("10.0.0.2"))).isTrue();

        nowNanos += TryBudget.WINDOW.toNanos() + 1;
        assertThat(budget.take(guesser)).isTrue();
    }

    @Test
    void aRightTryCostsNothing() throws UnknownHostException {
        InetAddress member = InetAddress.getByName("10.0.0.2");
        for (int i = 0; i < 10 * TryBudget.TRIES; i++) {
            assertThat(budget.take(member)).isTrue();
            budget.giveBack(member);
        }
    }
}
