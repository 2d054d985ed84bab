package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.cli.cluster.ProcessRecord;
import io.boltshuffle.os.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code bolt cluster}, by the commands of its page, in a path with a space and an umlaut. */
@Tag("slow")
@ExtendWith(OneClusterAtATime.class)
class LocalClusterTest {
    private static final String PAGE = "docs/operations.md";
    private static final Pattern SLAB = Pattern.compile("/dev/shm/bolt-\\S+");

    private final ClusterCommands cluster;

    LocalClusterTest(@TempDir Path directory) throws IOException {
        this.cluster = new ClusterCommands(
                BuiltCheckout.in(Files.createDirectories(directory.resolve("ein grünes Verzeichnis"))));
    }

    @AfterEach
    void nothingIsLeftWhateverHappened() throws Exception {
        cluster.stop();
    }

    @Tag("ci")
    @Test
    void theCommandsOfThePageRunAJobByRdmaAndLeaveNothing() throws Exception {
        UnpackedBolt.requireRoomForHosts(2);
        List<String> blocks = PageBlocks.runBy(LocalClusterTest.class, PAGE);
        assertThat(blocks).hasSize(4);

        assertThat(cluster.run(0, blocks.get(0)).out()).contains("spark://127.0.0.1:17077", "SPARK_CONF_DIR");
        JsonNode started = cluster.status(0);
        assertThat(lives(started))
                .hasSize(5)
                .allSatisfy((name, alive) -> assertThat(alive).as(name).isTrue());
        assertThat(cluster.run(1, blocks.get(0)).err()).contains("runs already, at spark://127.0.0.1:17077");

        assertThat(cluster.run(0, blocks.get(1)).out())
                .containsPattern("FirstJoin: 2000000 rows, [0-9.]+ MiB from other hosts, 100 % of them by RDMA")
                .containsPattern("by RDMA +[1-9][0-9.]* [KM]iB so far");
        assertThat(cluster.status(0).path("rdmaBytes").asLong()).isGreaterThan(1_000_000);

        assertThat(cluster.run(2, "bolt cluster pull c7-8").err()).contains("the cluster has these cables: c0-1");
        assertThat(cluster.run(0, blocks.get(2)).err()).contains("c0-1: pulled", "c0-1: plugged in");
        cluster.run(0, "bolt cluster pull");
        assertThat(cluster.run(0, blocks.get(1)).out()).contains(" 0 % of them by RDMA; TCP because: cable pulled. ");
        cluster.run(0, "bolt cluster plug");
        assertThat(cluster.run(0, blocks.get(1)).out()).containsPattern("[1-9][0-9]* % of them by RDMA");

        List<ProcessHandle> processes = UnpackedBolt.processes(started);
        cluster.run(0, blocks.get(3));
        // In a container, exit codes of orphans may never be collected: such a process has ended.
        assertThat(processes)
                .hasSize(5)
                .noneMatch(process -> new ProcessRecord(process.toString(), process.pid(), 0).lives());
        assertThat(Path.of(started.path("directory").asText())).doesNotExist();
        assertThat(cluster.temporary()).isEmptyDirectory();
        assertThat(cluster.status(1).path("running").asBoolean()).isFalse();
    }

    @Tag("ci")
    @Test
    void aCrashedOneIsShownAndTheNextOneTakesItsPlace() throws Exception {
        UnpackedBolt.requireRoomForHosts(2);
        cluster.run(0, "bolt cluster start --executor-memory 512m --slab 64m");
        JsonNode started = cluster.status(0);
        Set<Path> slabs = slabs(started);
        kill(started, "agent-send-127.0.0.3");
        assertThat(lives(cluster.status(1))).contains(entry("agent-send-127.0.0.3", false), entry("master", true));
        assertThat(cluster.run(1, "bolt cluster status").out())
                .containsPattern("agent-send-127.0.0.3 +ENDED: its log is /");

        for (String name : lives(started).keySet()) {
            kill(started, name);
        }
        assertThat(slabs).hasSize(2).allSatisfy(slab -> assertThat(slab).exists());
        ClusterCommands.Said again = cluster.run(0, "bolt cluster start --cables none --executor-memory 512m");
        assertThat(again.err()).contains("removing what a cluster left that was not stopped");
        assertThat(lives(cluster.status(0))).containsOnlyKeys("master", "worker-127.0.0.2", "worker-127.0.0.3");
        assertThat(slabs).allSatisfy(slab -> assertThat(slab).doesNotExist());
    }

    @Test
    void whatDoesNotFitIsSaidBeforeAnythingStarts() throws Exception {
        UnpackedBolt.requireRoomForHosts(2);
        assertThat(cluster.run(3, "bolt cluster start --executor-memory 900g").err())
                .contains("of memory free");
        assertThat(cluster.run(3, "bolt cluster start --slab 900g").err()).contains("shared memory");
        assertThat(cluster.run(2, "bolt cluster start --hosts 1").err()).contains("--hosts is 1; it has to be 2 to 16");
        assertThat(cluster.run(2, "bolt cluster start --port 70000").err()).contains("--port is 70000");
        assertThat(cluster.run(0, "bolt cluster stop").err()).contains("no cluster runs");
    }

    private static Map<String, Boolean> lives(JsonNode status) {
        Map<String, Boolean> lives = new TreeMap<>();
        status.path("processes")
                .forEach(process -> lives.put(
                        process.path("name").asText(), process.path("alive").asBoolean()));
        return lives;
    }

    private static void kill(JsonNode status, String name) {
        for (JsonNode process : status.path("processes")) {
            if (process.path("name").asText().equals(name)) {
                ProcessHandle.of(process.path("pid").asLong()).ifPresent(one -> {
                    one.destroyForcibly();
                    await().atMost(20, TimeUnit.SECONDS).until(() -> !ProcessTree.isAlive(one));
                });
            }
        }
    }

    /** Shared memory that the processes have, by name. */
    private static Set<Path> slabs(JsonNode status) throws IOException {
        Set<Path> slabs = new TreeSet<>();
        for (ProcessHandle process : UnpackedBolt.processes(status)) {
            SLAB.matcher(Files.readString(Path.of("/proc", Long.toString(process.pid()), "maps")))
                    .results()
                    .forEach(slab -> slabs.add(Path.of(slab.group())));
        }
        return slabs;
    }
}
