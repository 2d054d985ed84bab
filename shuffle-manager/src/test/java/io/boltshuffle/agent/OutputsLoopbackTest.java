package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.OutputLoan;
import io.boltshuffle.client.OutputMemory;
import io.boltshuffle.testing.LogLines;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.OutputLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        if (doPeersRead()) {
            hosts.fabric().letPeersRead();
        }
        hosts.startAgents(1);
        writer = TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "1"));
        reader = TwoAgents.awaitConnected(hosts.executor(TwoAgents.READER, "2"));
    }

    /** Whether peers read what they fetch, rather than being sent it. */
    boolean doPeersRead() {
        return false;
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
    void largeBlocksAreTakenFromWhereTheyLie() throws Exception {
        List<BlockRange> blocks = new ArrayList<>();
        List<byte[]> expected = new ArrayList<>();
        for (int map = 0; map < 3; map++) {
            publishFramed(0, map, 100_000, 5_000, 40_001, 131_072);
            for (int reduce = 0; reduce < 4; reduce++) {
                BlockRange block = new BlockRange(0, map, reduce, reduce + 1);
                blocks.add(block);
                expected.add(hosts.files().expected(block));
            }
            Files.delete(hosts.files().dataFile(0, map));
        }
        awaitOutputs(3);

        Collected collected = fetch(blocks);

        for (int i = 0; i < blocks.size(); i++) {
            assertThat(collected.block(i)).isEqualTo(expected.get(i));
        }
        assertThat(counter("servedFromMemoryBytes")).isEqualTo(3 * 276_073);
        assertThat(counter("servedInPlaceBytes")).isEqualTo(3 * 231_072);
    }

    /** They need not begin a frame to be read, but to be sent. The first one comes ahead, alone, and is too small. */
    @Test
    void smallBlocksThatLieTogetherAreReadWhereTheyLie() throws Exception {
        publish(0, 1, 30_000, 41_000, 42_000, 43_000, 44_000);
        awaitOutputs(1);
        List<BlockRange> blocks = List.of(
                new BlockRange(0, 1, 1, 2),
                new BlockRange(0, 1, 2, 3),
                new BlockRange(0, 1, 3, 4),
                new BlockRange(0, 1, 1, 5));

        Collected collected = fetch(blocks);

        for (int i = 0; i < blocks.size(); i++) {
            assertThat(collected.block(i)).isEqualTo(hosts.files().expected(blocks.get(i)));
        }
        assertThat(counter("servedFromMemoryBytes")).isEqualTo(126_000 + 170_000);
        assertThat(counter("servedInPlaceBytes")).isEqualTo(doPeersRead() ? 85_000 + 170_000 : 0);
    }

    /** Blocks of one and of several partitions, small and large ones, and such as are larger than the window. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void blocksAreTheSameFromMemoryAndFromTheirFiles(long seed) throws Exception {
        Random random = new Random(seed);
        List<BlockRange> blocks = new ArrayList<>();
        for (int map = 0; map < 6; map++) {
            int[] lengths = random.ints(5, 1, 1 << (6 + random.nextInt(12))).toArray();
            lengths[2] = map == 0 ? 2 * MIB + 77 : lengths[2];
            if (random.nextBoolean()) {
                publish(0, map, lengths);
            } else {
                publishFramed(0, map, lengths);
            }
            for (int from = 0; from < lengths.length; from++) {
                blocks.add(new BlockRange(0, map, from, from + 1 + random.nextInt(lengths.length - from)));
            }
        }
        awaitOutputs(6);

        Collected fromMemory = fetch(blocks);
        long served = counter("servedFromMemoryBytes");
        writer.withdrawOutputs(0);
        awaitOutputs(0);
        Collected fromFiles = fetch(blocks);

        assertThat(served).isEqualTo(counter("servedFromMemoryBytes")).isPositive();
        for (int i = 0; i < blocks.size(); i++) {
            assertThat(fromMemory.block(i))
                    .as("seed %d, %s", seed, blocks.get(i))
                    .isEqualTo(fromFiles.block(i))
                    .isEqualTo(hosts.files().expected(blocks.get(i)));
        }
        await().atMost(Duration.ofSeconds(10)).until(() -> outputs("usedBytes") == 0);
    }

    /** The transfer never ends by itself: the output stays until the executor that wants it is gone. */
    @Test
    void anOutputThatIsSentStaysWhenItsShuffleIsUnregistered() throws Exception {
        publishFramed(0, 1, 100_000);
        awaitOutputs(1);
        long usedBytes = outputs("usedBytes");
        hosts.fabric().behave(FakeFabric.Behaviour.SILENT);
        Collected collected = Collected.fetch(reader, List.of(new BlockRange(0, 1, 0, 1)), /* keep= */ false);
        await().atMost(Duration.ofSeconds(10)).until(() -> counter("servedInPlaceBytes") == 100_000);

        writer.withdrawOutputs(0);
        awaitOutputs(0);
        assertThat(outputs("usedBytes")).as("while it is sent").isEqualTo(usedBytes);
        reader.close();

        await().atMost(Duration.ofSeconds(10)).until(() -> outputs("usedBytes") == 0);
        collected.await();
        assertThat(collected.failures()).containsKey(0);
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
        publish(0, 1, 1000);
        awaitOutputs(1);
        OutputMemory memory = lend(0, 1000);
        try (LogLines log = new LogLines()) {
            hosts.stopAgent(TwoAgents.SERVER);

            assertThat(log.said()).as("exceptions").noneMatch(line -> line.contains("\n"));
            assertThat(log.said())
                    .filteredOn(line -> line.contains("memory"))
                    .singleElement()
                    .asString()
                    .startsWith("4096 bytes of memory are in use still");
        }

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
        memory.publish(
                map,
                OutputLayout.PACKED,
                Arrays.stream(lengths).asLongStream().boxed().toList());
    }

    /** The same, where each partition begins a frame in memory. */
    private void publishFramed(int shuffle, long map, int... lengths) throws Exception {
        hosts.files().write(shuffle, map, lengths);
        byte[] content = Files.readAllBytes(hosts.files().dataFile(shuffle, map));
        OutputMemory memory = lend(shuffle, OutputLayout.FRAMED.room(lengths.length, content.length));
        ByteBuffer bytes = memory.bytes();
        int from = 0;
        for (int length : lengths) {
            bytes.position((int) OutputLayout.FRAMED.start(bytes.position()));
            bytes.put(content, from, length);
            from += length;
        }
        memory.publish(
                map,
                OutputLayout.FRAMED,
                Arrays.stream(lengths).asLongStream().boxed().toList());
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
        return counter("servedFromMemoryBytes");
    }

    private long counter(String figure) throws IOException {
        return hosts.status(TwoAgents.SERVER).at("/counters/" + figure).asLong();
    }
}
