package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.testing.ShuffleFiles;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Secret;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Storage of one application hangs under the serving agent: pipes lie in the place of its files, and to open one waits
 * for a writer. In stock Spark only that application suffers, because each executor serves its own files.
 */
@Tag("slow")
class HangingStorageTest {

    private static final String HANGS = "app-2";
    /** More than an agent has readers, with those that it adds. */
    private static final int FETCHES = 32;

    private final TwoAgents hosts;
    private final List<Path> pipes = new ArrayList<>();

    HangingStorageTest(@TempDir Path temp) throws IOException {
        this.hosts = new TwoAgents(temp, Map.of("spark.boltshuffle.fetch.timeout", "20s"));
    }

    /** A writer that comes and goes ends all reads. */
    @AfterEach
    void everyLeaseIsBack() throws IOException {
        for (Path pipe : pipes) {
            try (FileChannel both = FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                assertThat(both.isOpen()).isTrue();
                Files.delete(pipe);
            }
        }
        hosts.close();
    }

    private void putPipe(Path file) throws IOException, InterruptedException {
        Files.deleteIfExists(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        pipes.add(file);
    }

    private AgentClient readerOfHangingFiles() throws IOException {
        Secret secret = Secret.of(new byte[] {7});
        TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "1", HANGS, secret));
        AgentClient reader = TwoAgents.awaitConnected(hosts.executor(TwoAgents.READER, "2", HANGS, secret));
        hosts.files(HANGS).write(0, FETCHES, 1000);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> fetch(reader, FETCHES).isEmpty());
        return reader;
    }

    /** Fetches a block of an application. Returns what failed. */
    private static Map<Integer, FailureReason> fetch(AgentClient reader, long map) throws InterruptedException {
        return Collected.fetch(reader, blockOf(map), /* keep= */ false).await().failures();
    }

    private static List<BlockRange> blockOf(long map) {
        return List.of(new BlockRange(0, map, 0, 1));
    }

    private void assertThatOthersAreServed(AgentClient reader) throws InterruptedException, IOException {
        Collected other = Collected.fetch(reader, blockOf(1), /* keep= */ false).await();
        assertThat(other.block(0)).isEqualTo(hosts.files().expected(blockOf(1).get(0)));
    }

    private void assertThatAnotherApplicationIsServed(boolean indexes) throws Exception {
        hosts.startAgents(1);
        OneBlock other = OneBlock.written(hosts, 10_000);
        assertThat(other.failures()).isEmpty();
        AgentClient reader = readerOfHangingFiles();
        ShuffleFiles files = hosts.files(HANGS);
        List<Collected> hanging = new ArrayList<>();
        for (int map = 0; map < FETCHES; map++) {
            files.write(0, map, 1000);
            putPipe(indexes ? files.indexFile(0, map) : files.dataFile(0, map));
            hanging.add(Collected.fetch(reader, blockOf(map), /* keep= */ false));
        }
        assertThatOthersAreServed(other.reader());
        for (Collected each : hanging) {
            assertThat(each.await().failures().values()).containsExactly(FailureReason.STORAGE_HANGS);
        }
        assertThat(hosts.status(TwoAgents.SERVER)
                        .at("/hangingReads/0/directory")
                        .asText())
                .isEqualTo(files.localDir().toString());
        long begin = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            assertThatOthersAreServed(other.reader());
            assertThat(fetch(reader, i)).isEqualTo(Map.of(0, FailureReason.STORAGE_HANGS));
        }
        assertThat(System.nanoTime() - begin)
                .as("answered at once, not after the 20 s that a fetch may take")
                .isLessThan(TimeUnit.SECONDS.toNanos(10));
    }

    @Tag("ci")
    @Test
    void anotherApplicationIsServedWhileMoreReadsOfIndexesHangThanThereAreReaders() throws Exception {
        assertThatAnotherApplicationIsServed(/* indexes= */ true);
    }

    @Test
    void anotherApplicationIsServedWhileMoreReadsOfDataHangThanThereAreReaders() throws Exception {
        assertThatAnotherApplicationIsServed(/* indexes= */ false);
    }

    @Test
    void storageThatRecoversIsReadAgain() throws Exception {
        hosts.startAgents(1);
        AgentClient reader = readerOfHangingFiles();
        ShuffleFiles files = hosts.files(HANGS);
        files.write(0, 1, 1000);
        files.write(0, 2, 1000);
        putPipe(files.indexFile(0, 1));
        assertThat(fetch(reader, 1)).isEqualTo(Map.of(0, FailureReason.STORAGE_HANGS));

        try (FileChannel writer = FileChannel.open(files.indexFile(0, 1), StandardOpenOption.WRITE)) {
            assertThat(writer.isOpen()).isTrue();
        }
        Files.delete(files.indexFile(0, 1));
        pipes.clear();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> hosts.status(TwoAgents.SERVER).at("/hangingReads").isEmpty());

        assertThat(fetch(reader, 2)).isEmpty();
    }

    @Test
    void anAgentEndsWhileReadsHang() throws Exception {
        hosts.startAgents(1);
        AgentClient reader = readerOfHangingFiles();
        ShuffleFiles files = hosts.files(HANGS);
        files.write(0, 1, 1000);
        putPipe(files.indexFile(0, 1));
        assertThat(fetch(reader, 1)).isEqualTo(Map.of(0, FailureReason.STORAGE_HANGS));

        hosts.stopAgent(TwoAgents.SERVER);
    }
}
