package io.boltshuffle.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimersTest {
    private final Timers timers = new Timers();
    private final List<String> ran = new ArrayList<>();

    private Loop.Timer add(long dueNanos, String name) {
        return timers.add(dueNanos, () -> ran.add(name));
    }

    private void runUntil(long nowNanos) {
        for (Runnable due = timers.nextDue(nowNanos); due != null; due = timers.nextDue(nowNanos)) {
            due.run();
        }
    }

    @Test
    void tasksRunInTheOrderOfTheirTimesAndThenInTheirOwn() {
        add(20, "c");
        add(10, "a");
        add(20, "d");
        add(10, "b");
        add(30, "later");

        runUntil(20);

        assertThat(ran).containsExactly("a", "b", "c", "d");
        assertThat(timers.nextDueNanos()).isEqualTo(30);
    }

    @Test
    void aCancelledTaskDoesNotRunAndIsNotWaitedFor() {
        Loop.Timer first = add(10, "first");
        add(20, "second");
        first.cancel();
        first.cancel();

        assertThat(timers.nextDueNanos()).isEqualTo(20);
        runUntil(20);
        assertThat(ran).containsExactly("second");
        assertThat(timers.nextDueNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aTaskThatCancelsItselfOrIsCancelledLateIsNotCountedTwice() {
        Loop.Timer timer = add(10, "once");
        runUntil(10);
        timer.cancel();
        add(20, "next");

        runUntil(20);

        assertThat(ran).containsExactly("once", "next");
        assertThat(timers.size()).isZero();
    }

    @Test
    void whatWasCancelledTakesNoRoomForLong() {
        add(Long.MAX_VALUE - 1, "kept");
        for (int i = 0; i < 100_000; i++) {
            add(1_000_000 + i, "cancelled").cancel();
            assertThat(timers.size()).isLessThan(200);
        }

        runUntil(Long.MAX_VALUE - 1);
        assertThat(ran).containsExactly("kept");
    }
}
