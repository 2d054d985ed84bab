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

        assertThat(tree).noneMatch(ProcessTree::isAlive);
    }

    /**
     * The first process of a container leaves orphans like these; here the parent is a program that waits for no child.
     */
    @Test
    void aProcessWhoseParentTakesNoNoteOfItsEndHasEnded() throws IOException {
        Process parent = new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; exec sleep 600").start();
        try {
            ProcessHandle child = ProcessHandle.of(
                            Long.parseLong(parent.inputReader().readLine()))
                    .orElseThrow();
            assertThat(ProcessTree.isAlive(child)).isTrue();
            await().until(() ->
                    parent.info().arguments().filter(all -> all.length == 1).isPresent());

            child.destroy();

            await().until(() -> !ProcessTree.isAlive(child));
            assertThat(ProcessTree.isAlive(parent.toHandle())).isTrue();
        } finally {
            ProcessTree.end(parent);
        }
    }

    @Test
    void aProcessThatIgnoresTheSignalIsEndedByForce() throws IOException {
        Process root = new ProcessBuilder("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.1; done").start();
        root.inputReader().readLine();

        ProcessTree.end(root, java.time.Duration.ofMillis(200));

        assertThat(root.isAlive()).isFalse();
    }
}
