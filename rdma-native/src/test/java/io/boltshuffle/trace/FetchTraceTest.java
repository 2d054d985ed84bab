package io.boltshuffle.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FetchTraceTest {

    private final Path temp;

    private final List<TracedStep> heard = new ArrayList<>();

    FetchTraceTest(@TempDir Path temp) {
        this.temp = temp;
    }

    @AfterEach
    void off() {
        FetchTrace.off();
    }

    @Test
    void aStepIsHeardWithItsThreadWhileItIsTraced() throws InterruptedException {
        FetchTrace.step(FetchStep.ASKED);
        FetchTrace.on(heard::add);
        FetchTrace.step(FetchStep.FETCH_SENT);
        Thread other = new Thread(() -> FetchTrace.step(FetchStep.FETCH_HEARD), "another thread");
        other.start();
        other.join();
        FetchTrace.off();
        FetchTrace.step(FetchStep.PULL_SENT);

        assertThat(heard).extracting(TracedStep::step).containsExactly(FetchStep.FETCH_SENT, FetchStep.FETCH_HEARD);
        assertThat(heard.get(1).thread()).isEqualTo("another thread");
        assertThat(heard.get(1).isOnThreadOf(heard.get(0))).isFalse();
        assertThat(heard.get(1).nanos()).isGreaterThanOrEqualTo(heard.get(0).nanos());
    }

    @Test
    void aFileHasTheStepsOfAllThatAppendToIt() throws IOException {
        Path file = temp.resolve("trace");
        FetchTrace.appendTo(file.toString());
        FetchTrace.step(FetchStep.ASKED);
        FetchTrace.appendTo(file.toString());
        FetchTrace.step(FetchStep.DELIVERED);

        List<TracedStep> read =
                Files.readAllLines(file).stream().map(TracedStep::parse).toList();
        assertThat(read).extracting(TracedStep::step).containsExactly(FetchStep.ASKED, FetchStep.DELIVERED);
        assertThat(read)
                .allSatisfy(step -> assertThat(TracedStep.parse(step.toLine())).isEqualTo(step));
        assertThat(read.get(0).thread()).isEqualTo(Thread.currentThread().getName());
    }

    @Test
    void withoutAFileNothingIsTraced() throws IOException {
        FetchTrace.on(heard::add);
        FetchTrace.off();
        FetchTrace.appendTo("");
        FetchTrace.step(FetchStep.ASKED);

        assertThat(heard).isEmpty();
    }

    @Test
    void aFileThatCannotBeOpenedIsNamed() {
        String file = temp.resolve("nowhere").resolve("trace").toString();

        assertThatIOException().isThrownBy(() -> FetchTrace.appendTo(file)).withMessageContaining(file);
    }

    @Test
    void aLineOfSomethingElseIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TracedStep.parse("nothing"))
                .withMessageContaining("nothing");
    }
}
