package io.boltshuffle.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProcessTreeTest {
    @Test
    void noDescendantOutlivesTheTree() throws IOException {
        Process root = new ProcessBuilder("sh", "-c", "sh -c 'sleep 600 & wait' & wait").start();
        await().until(() -> root.descendants().count() == 2);
        List<ProcessHandle> tree =
                Stream.concat(Stream.of(root.toHandle()), root.descendants()).toList();

        ProcessTree.end(root);

        assertThat(tree).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void aProcessThatIgnoresTheSignalIsEndedByForce() throws IOException {
        Process root = new ProcessBuilder("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.1; done").start();
        root.inputReader().readLine();

        ProcessTree.end(root, java.time.Duration.ofMillis(200));

        assertThat(root.isAlive()).isFalse();
    }
}
