package io.boltshuffle.cli.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
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
    void nothingIsOpenedOnceItHasBegun() {
        Teardown teardown = Teardown.hooked();
        teardown.close();

        assertThatThrownBy(() -> teardown.open(() -> done.add("opened"), undone -> done.add("undone")))
                .hasMessage("interrupted");
        assertThat(done).isEmpty();
    }

    @Test
    void whatIsOpenedIsUndoneUnlessItIsKept() throws IOException {
        try (Teardown undoing = Teardown.hooked()) {
            assertThat(undoing.open(() -> "one", opened -> done.add("undone " + opened)))
                    .isEqualTo("one");
        }
        try (Teardown keeping = Teardown.hooked()) {
            assertThat(keeping.open(() -> "other", opened -> done.add("undone " + opened)))
                    .isEqualTo("other");
            keeping.keep();
        }

        assertThat(done).containsExactly("undone one");
    }

    @Test
    void nothingIsToBeStartedOnceItHasBegun() {
        Teardown teardown = Teardown.hooked();
        teardown.requireRunning();
        teardown.close();

        assertThatThrownBy(teardown::requireRunning).hasMessage("interrupted");
    }
}
