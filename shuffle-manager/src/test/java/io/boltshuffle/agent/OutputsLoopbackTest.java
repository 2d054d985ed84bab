package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.OutputLoan;
import io.boltshuffle.client.OutputMemory;
import io.boltshuffle.wire.BlockRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Outputs in the agent's memory, from the executor that writes them to the one that reads. */
class OutputsLoopbackTest {

    private static final int MIB = 1 << 20;
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final TwoAgents hosts;
    private AgentClient writer;
    private AgentClient reader;

    OutputsLoopbackTest(@TempDir Path temp) throws IOException {
        this.hosts = new TwoAgents(temp, Map.of("spark.boltshuffle.outputs.memory", "8m"));
    }

    @BeforeEach
    void start() throws Exception {
        hosts.startAgents(1);
        writer = TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "1"));
        reader = TwoAgents.awaitConnected(hosts.executor(TwoAgents.READER, "2"));
    }

    @AfterEach
    void end() {
        hosts.close();
    }

    @Test
    void publishedBlocksAreServedWithoutTheirFiles() throws Exception {
        List<BlockRange> blocks = new ArrayList<>();
        List<byte[]> expected = new ArrayList<>();
        for (int map = 0; map < 20; map++) {
            publish(0, map, 100 + map, 5000, 1);
            blocks.add(new BlockRange(0, map, map % 2, 3));
            expected.add(hosts.files().expected(blocks.get(map)));
            Files.delete(hosts.files().dataFile(0, map));
        }

        Collected collected = fetch(blocks);

        for (int i = 0; i < blocks.size(); i++) {
            assertThat(collected.block(i)).isEqualTo(expected.get(i));
        }
        assertThat(servedFromMemory())
                .isEqualTo(expected.stream().mapToLong(block -> block.length).sum());
        assertThat(outputs("outputs")).isEqualTo(20);
        assertThat(outputs("blocks")).isEqualTo(60);
    }

    @Test
    void aBlockLargerThanTheWindowComesFromMemoryInSlices() throws Exception {
        publish(0, 1, 1000, 3 * MIB + 17);
        byte[] expected = hosts.files().expected(new BlockRange(0, 1, 1, 2));
        Files.delete(hosts.files().dataFile(0, 1));

        assertThat(fetch(List.of(new BlockRange(0, 1, 1, 2))).block(0)).isEqualTo(expected);
    }

    @Test
    void theMemoryOfAnExecutorThatIsGoneServesOn() throws Exception {
        publish(0, 1, 1000);
        byte[] expected = hosts.files().expected(new BlockRange(0, 1, 0, 1));
        awaitOutputs(1);
        writer.close();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> hosts.status(TwoAgents.SERVER).at("/executors").isEmpty());
        Files.delete(hosts.files().dataFile(0, 1));

        assertThat(fetch(List.of(new BlockRange(0, 1, 0, 1))).block(0)).isEqualTo(expected);
    }

    /** Between commit and publish: the file is there, and the memory goes back when the task has let go of it. */
    @Test
    void theFileServesWhatAnExecutorDidNotComeToPublish() throws Exception {
        hosts.files().write(0, 1, 1000);
        OutputMemory memory = lend(0, 1000);
        assertThat(outputs("usedBytes")).isEqualTo(4096);

        writer.close();
        await().atMost(Duration.ofSeconds(10)).until(() -> writer.refusal("any").isPresent());
        assertThat(outputs("usedBytes")).as("while the task may write to it").isEqualTo(4096);
        memory.close();

        await().atMost(Duration.ofSeconds(10)).until(() -> outputs("usedBytes") == 0);
        assertThat(fetch(List.of(new BlockRange(0, 1, 0, 1))).block(0))
                .isEqualTo(hosts.files().expected(new BlockRange(0, 1, 0, 1)));
        assertThat(servedFromMemory()).isZero();
    }

    @Test
    void anUnregisteredShuffleLeavesMemory() throws Exception {
        publish(0, 1, 1000);
        publish(1, 2, 1000);
        awaitOutputs(2);

        writer.withdrawOutputs(0);

        awaitOutputs(1);
        assertThat(outputs("withdrawn")).isEqualTo(1);
        assertThat(fetch(List.of(new BlockRange(0, 1, 0, 1))).block(0))
                .as("as long as its file is there")
                .isEqualTo(hosts.files().expected(new BlockRange(0, 1, 0, 1)));
        assertThat(servedFromMemory()).isZero();
    }

    @Test
    void whatMadeRoomIsServedFromItsFile() throws Exception {
        publish(0, 1, 6 * MIB);
        publish(1, 2, 6 * MIB);
        awaitOutputs(1);

        assertThat(outputs("evicted")).isEqualTo(1);
        List<BlockRange> blocks = List.of(new BlockRange(0, 1, 0, 1), new BlockRange(1, 2, 0, 1));
        for (BlockRange block : blocks) {
            assertThat(fetch(List.of(block)).block(0)).isEqualTo(hosts.files().expected(block));
        }
        assertThat(servedFromMemory()).isEqualTo(6 * MIB);
    }

    @Test
    void aRequestThatCannotBeGrantedIsRefusedAtOnce() throws Exception {
        OutputMemory all = lend(0, 8 * MIB);

        assertThat(writer.lendOutput(0, 1, WAIT_NANOS)).isEqualTo(new OutputLoan.Refused(OutputLoan.Why.NO_MEMORY));
        assertThat(writer.lendOutput(0, 8 * MIB + 1, WAIT_NANOS))
                .isEqualTo(new OutputLoan.Refused(OutputLoan.Why.TOO_LARGE));

        all.close();
        await().atMost(Duration.ofSeconds(10)).until(() -> outputs("usedBytes") == 0);
        lend(0, 8 * MIB).close();
    }

    @Test
    void memoryThatComesTooLateGoesBackByItself() throws Exception {
        for (int request = 0; request < 100; request++) {
            if (writer.lendOutput(0, 4096, 0) instanceof OutputLoan.Granted granted) {
                granted.memory().close();
            }
        }

        await().atMost(Duration.ofSeconds(10)).until(() -> outputs("usedBytes") == 0);
        lend(0, 8 * MIB).close();
    }

    @Test
    void anAgentThatStopsLeavesATaskItsMemory() throws Exception {
        OutputMemory memory = lend(0, 1000);
        hosts.stopAgent(TwoAgents.SERVER);

        memory.bytes().put(new byte[1000]);
        memory.close();

        assertThat(writer.lendOutput(0, 1, WAIT_NANOS)).isEqualTo(new OutputLoan.Refused(OutputLoan.Why.NO_AGENT));
    }

    @Test
    void anAgentWithoutMemoryForOutputsIsNotAsked(@TempDir Path temp) throws Exception {
        try (TwoAgents without = new TwoAgents(temp, Map.of())) {
            without.startAgents(1);
            AgentClient executor = TwoAgents.awaitConnected(without.executor(TwoAgents.SERVER, "1"));

            assertThat(executor.lendOutput(0, 1, 0)).isEqualTo(new OutputLoan.Refused(OutputLoan.Why.OFF));
        }
    }

    /** Writes an output to its file and to memory, and publishes it. */
    private void publish(int shuffle, long map, int... lengths) throws Exception {
        hosts.files().write(shuffle, map, lengths);
        byte[] content = Files.readAllBytes(hosts.files().dataFile(shuffle, map));
        OutputMemory memory = lend(shuffle, content.length);
        memory.bytes().put(content);
        memory.publish(map, Arrays.stream(lengths).asLongStream().boxed().toList());
    }

    private OutputMemory lend(int shuffle, long bytes) throws InterruptedException {
        OutputLoan loan = writer.lendOutput(shuffle, bytes, WAIT_NANOS);
        assertThat(loan).isInstanceOf(OutputLoan.Granted.class);
        return ((OutputLoan.Granted) loan).memory();
    }

    private Collected fetch(List<BlockRange> blocks) throws InterruptedException {
        return Collected.fetch(reader, blocks, /* keep= */ false).await();
    }

    private void awaitOutputs(int count) {
        await().atMost(Duration.ofSeconds(10)).until(() -> outputs("outputs") == count);
    }

    private long outputs(String figure) throws IOException {
        return hosts.status(TwoAgents.SERVER).at("/outputs/" + figure).asLong();
    }

    private long servedFromMemory() throws IOException {
        return hosts.status(TwoAgents.SERVER)
                .at("/counters/servedFromMemoryBytes")
                .asLong();
    }
}
