package io.boltshuffle.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessRecordTest {
    private static final Duration GRACE = Duration.ofSeconds(10);

    @Test
    void aProcessIsFoundAgainAndEndedWithWhatItStarted(@TempDir Path root) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "sleep 600 & wait").start();
        await().until(() -> process.descendants().count() == 1);
        ProcessHandle child = process.descendants().findFirst().orElseThrow();
        new RunDirectory(root, true).record("worker", process.toHandle());

        List<ProcessRecord> found = new RunDirectory(root, true).processes();
        assertThat(found)
                .singleElement()
                .satisfies(record -> assertThat(record.title()).isEqualTo("worker"));
        assertThat(found.get(0).lives()).isTrue();
        ProcessRecord ofChild = ProcessRecord.of("child", child);
        ProcessRecord.end(found, GRACE);

        assertThat(found.get(0).lives()).isFalse();
        assertThat(ofChild.lives()).isFalse();
    }

    /** The number may be that of any program after a restart of the machine. */
    @Test
    void anotherProcessWithItsNumberIsNotEnded() throws IOException {
        Process process = new ProcessBuilder("sleep", "600").start();
        try {
            ProcessRecord earlier = new ProcessRecord("worker", process.pid(), 1_000);
            ProcessRecord.end(List.of(earlier), GRACE);

            assertThat(earlier.lives()).isFalse();
            assertThat(process.isAlive()).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aRecordThatIsNoneIsLeftOut() {
        assertThat(ProcessRecord.parse("worker", "")).isEmpty();
        assertThat(ProcessRecord.parse("worker", "12 x")).isEmpty();
        assertThat(ProcessRecord.parse("worker", "12 34")).hasValue(new ProcessRecord("worker", 12, 34));
    }
}
