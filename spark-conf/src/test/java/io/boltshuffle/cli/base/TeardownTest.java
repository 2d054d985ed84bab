package io.boltshuffle.cli.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TeardownTest {
    private final List<String> done = new ArrayList<>();

    @Test
    void stepsRunOnceInReverseOrder() {
        Teardown teardown = Teardown.hooked();
        teardown.push(() -> done.add("first"));
        teardown.push(() -> done.add("second"));

        teardown.close();
        teardown.close();

        assertThat(done).containsExactly("second", "first");
    }

    @Test
    void aFailingStepDoesNotKeepTheOthersFromRunning() {
        Teardown teardown = Teardown.hooked();
        teardown.push(() -> done.add("first"));
        teardown.push(() -> {
            throw new IllegalStateException("step");
        });

        assertThatThrownBy(teardown::close).hasMessage("step");
        assertThat(done).containsExactly("first");
    }

    @Test
    void aStepThatComesTooLateRunsAtOnceAndIsRefused() {
        Teardown teardown = Teardown.hooked();
        teardown.close();

        assertThatThrownBy(() -> teardown.push(() -> done.add("late"))).hasMessage("interrupted");
        assertThat(done).containsExactly("late");
    }

    @Test
    void nothingIsToBeStartedOnceItHasBegun() {
        Teardown teardown = Teardown.hooked();
        teardown.requireRunning();
        teardown.close();

        assertThatThrownBy(teardown::requireRunning).hasMessage("interrupted");
    }
}
