package io.boltshuffle.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.FetchRequest;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Secret;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two agents and their executors over a fabric that copies: the whole protocol, without devices. */
@Tag("slow")
class AgentLoopbackTest {

    private static final int MIB = 1 << 20;

    private final Path temp;
    private final TwoAgents hosts;

    AgentLoopbackTest(@TempDir Path temp) throws IOException {
        this.temp = temp;
        this.hosts = new TwoAgents(temp, Map.of());
    }

    @AfterEach
    void everyLeaseIsBack() throws IOException {
        hosts.close();
    }

    @Test
    void blocksOfManyMapsArriveAsTheyWereWritten() throws Exception {
        hosts.startAgents(1);
        AgentClient reader = hosts.connectedReader();
        List<BlockRange> blocks = new ArrayList<>();
        for (int map = 0; map < 50; map++) {
            hosts.files().write(0, map, 100 + map, 5000, 1);
            blocks.add(new BlockRange(0, map, map % 2, 3));
        }
        Collected collected = Collected.fetch(reader, blocks, /* keep= */ false).await();
        assertArrived(blocks, collected);
        assertThat(servedPulls()).isEqualTo(2);
        awaitEmptyPools();
    }

    /** Its first blocks come ahead; where it has some to read, what it fetches comes as one. */
    @Test
    void aTaskThatHasNothingToReadWaitsForNoMoreThanItsFirstBlocks() throws Exception {
        hosts.startAgents(1);
        AgentClient reader = hosts.connectedReader();
        List<BlockRange> blocks = new ArrayList<>();
        for (int map = 0; map < 8; map++) {
            hosts.files().write(0, map, 1000);
            blocks.add(new BlockRange(0, map, 0, 1));
        }

        Collected first = Collected.fetch(reader, blocks, /* keep= */ true).await();
        assertThat(servedPulls()).isEqualTo(2);
        Collected second = Collected.fetch(reader, blocks, /* keep= */ true).await();
        assertThat(servedPulls()).isEqualTo(3);
        first.releaseAll();
        second.releaseAll();
        awaitEmptyPools();
        Collected.fetch(reader, blocks, /* keep= */ false).await();
        assertThat(servedPulls()).isEqualTo(5);
    }

    private void assertArrived(List<BlockRange> blocks, Collected collected) throws IOException {
        for (int i = 0; i < blocks.size(); i++) {
            assertThat(collected.block(i)).isEqualTo(hosts.files().expected(blocks.get(i)));
        }
    }

    private int servedPulls() throws IOException {
        return hosts.status(TwoAgents.SERVER).at("/counters/servedPulls").asInt();
    }

    @Test
    void aBlockLargerThanTheWindowComesInSlices() throws Exception {
        hosts.startAgents(2);
        AgentClient reader = hosts.connectedReader();
        hosts.files().write(0, 1, 1000, 5 * MIB + 17, 2000);
        List<BlockRange> blocks =
                List.of(new BlockRange(0, 1, 0, 1), new BlockRange(0, 1, 1, 2), new BlockRange(0, 1, 2, 3));
        Collected collected = Collected.fetch(reader, blocks, /* keep= */ false).await();
        assertArrived(blocks, collected);
        assertThat(collected.slices()).isEqualTo(8);
        awaitEmptyPools();
    }

    @Test
    void aPullMayBeLargerThanAMemoryRegion() throws Exception {
        Map<String, String> window = Map.of("spark.boltshuffle.fetch.window", "12m");
        hosts.startAgent(TwoAgents.READER, 2, window);
        hosts.startAgent(TwoAgents.SERVER, 2, window);
        AgentClient reader = hosts.connectedReader();
        List<BlockRange> blocks = new ArrayList<>();
        for (int map = 0; map < 14; map++) {
            hosts.files().write(0, map, MIB + map);
            blocks.add(new BlockRange(0, map, 0, 1));
        }
        Collected collected = Collected.fetch(reader, blocks, /* keep= */ false).await();
        assertArrived(blocks, collected);
        assertThat(servedPulls()).isEqualTo(2);
        awaitEmptyPools();
    }

    @Test
    void anUnknownBlockFailsAloneAndSoDoesOneWhoseFileIsShort() throws Exception {
        hosts.startAgents(1);
        AgentClient reader = hosts.connectedReader();
        hosts.files().write(0, 1, 1000);
        hosts.files().write(0, 2, 1000, 1000);
        hosts.files().write(0, 3, 1000);
        try (FileChannel file = FileChannel.open(hosts.files().dataFile(0, 2), StandardOpenOption.WRITE)) {
            file.truncate(1500);
        }
        List<BlockRange> blocks = List.of(
                new BlockRange(0, 1, 0, 1),
                new BlockRange(0, 99, 0, 1),
                new BlockRange(0, 2, 1, 2),
                new BlockRange(0, 2, 0, 1),
                new BlockRange(0, 3, 0, 1));
        Collected collected = Collected.fetch(reader, blocks, /* keep= */ false).await();
        assertThat(collected.failures()).isEqualTo(Map.of(1, FailureReason.UNKNOWN_BLOCK, 2, FailureReason.READ_ERROR));
        for (int whole : new int[] {0, 3, 4}) {
            assertThat(collected.block(whole)).isEqualTo(hosts.files().expected(blocks.get(whole)));
        }
        awaitEmptyPools();
    }

    @Test
    void memoryIsHeldUntilTheReaderReleasesIt() throws Exception {
        hosts.startAgents(1);
        OneBlock block = OneBlock.written(hosts, 100_000);
        Collected collected = block.fetch(/* keep= */ true).await();
        assertThat(hosts.pinnedBytes(TwoAgents.READER)).isEqualTo(100_000);
        collected.releaseAll();
        awaitEmptyPools();
        assertThat(block.reader().counters().forgottenCount()).isZero();
    }

    @Test
    void anExecutorThatEndsGivesEverythingBackOnceItsTasksHaveRead() throws Exception {
        hosts.startAgents(1);
        OneBlock block = OneBlock.written(hosts, 100_000);
        Collected collected = block.fetch(/* keep= */ true).await();
        block.reader().close();
        assertThat(hosts.pinnedBytes(TwoAgents.READER)).isEqualTo(100_000);
        collected.releaseAll();
        awaitEmptyPools();
        assertThat(collected.failures()).isEmpty();
    }

    @Test
    void blocksOfAnExecutorThatIsGoneAreStillServed() throws Exception {
        hosts.startAgents(1);
        AgentClient server = TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "1"));
        AgentClient reader = TwoAgents.awaitConnected(hosts.executor(TwoAgents.READER, "2"));
        server.close();
        hosts.files().write(0, 1, 100);
        assertThat(new OneBlock(reader).failures()).isEmpty();
    }

    @Test
    void slowReadersGetCopiesAndNeverStopOthers() throws Exception {
        hosts.startAgents(1);
        OneBlock block = OneBlock.written(hosts, MIB);
        List<Collected> slow = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            slow.add(block.fetch(/* keep= */ true).await());
        }
        assertThat(slow).allSatisfy(fetched -> assertThat(fetched.failures()).isEmpty());
        assertThat(block.reader().counters().copiedOutBytes()).isPositive();
        slow.forEach(Collected::releaseAll);
        awaitEmptyPools();
    }

    @Test
    void corruptBytesAreNeverDeliveredAndTheRouteGoesDownAndComesBack() throws Exception {
        hosts.startAgents(1);
        OneBlock block = OneBlock.written(hosts, 1000);
        assertThat(block.failures()).isEmpty();
        hosts.fabric().behave(FakeFabric.Behaviour.CORRUPTS);
        assertThat(block.failures()).isEqualTo(Map.of(0, FailureReason.CORRUPT));
        hosts.fabric().behave(FakeFabric.Behaviour.WORKS);
        await().atMost(Duration.ofSeconds(10))
                .until(() -> block.reader().refusal(TwoAgents.SERVER).isEmpty());
        assertThat(block.failures()).isEmpty();
        awaitEmptyPools();
    }

    @Test
    void aCableThatIsPluggedInAtAnotherPortIsFoundByItself() throws Exception {
        hosts.startAgents(1);
        OneBlock block = OneBlock.written(hosts, 1000);
        assertThat(block.failures()).isEmpty();
        hosts.fabric().plugInAt(7);
        await().atMost(Duration.ofSeconds(20)).until(() -> block.failures().isEmpty());
        assertThat(hosts.status(TwoAgents.READER).at("/peers/0/links/0/near").asText())
                .isEqualTo("rdma_en7:1");
        awaitEmptyPools();
    }

    @Test
    void aPulledCableIsToldFromNoneByReasonAndPort() throws Exception {
        hosts.startAgents(1);
        OneBlock block = OneBlock.written(hosts, 1000);
        assertThat(block.failures()).isEmpty();
        hosts.fabric().pull();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(block.reader().refusal(TwoAgents.SERVER))
                        .hasValueSatisfying(refusal -> {
                            assertThat(refusal.reason()).isEqualTo(FailureReason.CABLE_PULLED);
                            assertThat(refusal.detail())
                                    .contains("down since ", "port rdma_en0:1 of " + TwoAgents.SERVER);
                        }));
    }

    @Test
    void aSilentLinkEndsAtTheDeadline() throws Exception {
        hosts.startAgents(1);
        OneBlock block = OneBlock.written(hosts, 1000);
        assertThat(block.failures()).isEmpty();
        hosts.fabric().behave(FakeFabric.Behaviour.SILENT);
        assertThat(block.failures()).isEqualTo(Map.of(0, FailureReason.DEADLINE));
        awaitEmptyPools();
    }

    @Test
    void aPeerAgentThatStopsIsRefusedAtOnceAndUsedAgainWhenItIsBack() throws Exception {
        hosts.startAgents(1);
        OneBlock block = OneBlock.written(hosts, 1000);
        assertThat(block.failures()).isEmpty();
        hosts.stopAgent(TwoAgents.SERVER);
        await().until(() -> block.reader().refusal(TwoAgents.SERVER).isPresent());
        assertThat(block.failures()).hasSize(1);
        hosts.startAgent(TwoAgents.SERVER, 1, Map.of());
        await().atMost(Duration.ofSeconds(20))
                .until(() -> block.reader().refusal(TwoAgents.SERVER).isEmpty());
        // The executor on that host finds its new agent by itself, and registers again.
        await().atMost(Duration.ofSeconds(20)).until(() -> block.failures().isEmpty());
        awaitEmptyPools();
    }

    @Test
    void theOwnAgentsEndFailsWhatIsUnderWayAndLeavesWhatCameReadable() throws Exception {
        hosts.startAgents(1);
        OneBlock block = OneBlock.written(hosts, 1000);
        Collected held = block.fetch(/* keep= */ true).await();
        hosts.fabric().behave(FakeFabric.Behaviour.SILENT);
        Collected underWay = block.fetch(/* keep= */ false);
        await().until(() -> hosts.fabric().offers() == 1);
        hosts.stopAgent(TwoAgents.READER);
        assertThat(underWay.await().failures()).isEqualTo(Map.of(0, FailureReason.STOPPING));
        assertThat(block.reader().refusal(TwoAgents.SERVER)).isPresent();
        assertThat(held.block(0)).isEqualTo(hosts.files().expected(OneBlock.BLOCK));
        held.releaseAll();
    }

    @Test
    void aHostWithoutACableIsRefusedWithTheReason() throws Exception {
        hosts.startAgent(TwoAgents.READER, 1, Map.of());
        hosts.startAgent(TwoAgents.SERVER, 0, Map.of());
        OneBlock block = OneBlock.written(hosts, 1000);
        assertThat(block.failures()).isEqualTo(Map.of(0, FailureReason.NO_CABLE));
        assertThat(block.reader().refusal(TwoAgents.SERVER))
                .hasValueSatisfying(refusal -> assertThat(refusal.reason()).isEqualTo(FailureReason.NO_CABLE));
    }

    @Test
    void aHostWithoutAnAgentIsRefusedAtOnce() throws Exception {
        hosts.startAgent(TwoAgents.READER, 1, Map.of());
        AgentClient reader = TwoAgents.awaitConnected(hosts.executor(TwoAgents.READER, "2"));
        assertThat(new OneBlock(reader).failures()).isEqualTo(Map.of(0, FailureReason.PEER_UNREACHABLE));
    }

    @Test
    void agentsWithDifferentClusterSecretsDoNotSpeak() throws Exception {
        hosts.startAgent(TwoAgents.READER, 1, Map.of("spark.boltshuffle.agent.secretFile", secretFile("one")));
        hosts.startAgent(TwoAgents.SERVER, 1, Map.of("spark.boltshuffle.agent.secretFile", secretFile("two")));
        assertThat(firstFetch(TwoAgents.SECRET, TwoAgents.SECRET)).isEqualTo(Map.of(0, FailureReason.REFUSED));
    }

    @Test
    void agentsWithTheSameClusterSecretSpeak() throws Exception {
        String file = secretFile("one");
        hosts.startAgent(TwoAgents.READER, 1, Map.of("spark.boltshuffle.agent.secretFile", file));
        hosts.startAgent(TwoAgents.SERVER, 1, Map.of("spark.boltshuffle.agent.secretFile", file));
        assertThat(firstFetch(TwoAgents.SECRET, TwoAgents.SECRET)).isEmpty();
    }

    @Test
    void anApplicationsSecretMustBeKnownOnBothSides() throws Exception {
        hosts.startAgents(1);
        assertThat(firstFetch(Secret.of(new byte[] {1}), Secret.of(new byte[] {2})))
                .isEqualTo(Map.of(0, FailureReason.REFUSED));
    }

    @Test
    void applicationsWithSecretsOfTheirOwnShareTheAgentsAndSeeNothingOfEachOther() throws Exception {
        hosts.startAgents(1);
        BlockRange block = new BlockRange(0, 1, 0, 1);
        List<AgentClient> readers = new ArrayList<>();
        for (String application : List.of("app-a", "app-b")) {
            Secret secret = Secret.of(application.getBytes(UTF_8));
            hosts.files(application).write(0, 1, 100_000);
            TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "of-" + application, application, secret));
            readers.add(TwoAgents.awaitConnected(hosts.executor(TwoAgents.READER, "2", application, secret)));
        }
        Collected ofA = fetch(readers.get(0), "of-app-a", block);
        Collected ofB = fetch(readers.get(1), "of-app-b", block);
        Collected others = fetch(readers.get(1), "of-app-a", block);

        assertThat(ofA.await().block(0)).isEqualTo(hosts.files("app-a").expected(block));
        assertThat(ofB.await().block(0)).isEqualTo(hosts.files("app-b").expected(block));
        assertThat(others.await().failures()).isEqualTo(Map.of(0, FailureReason.UNKNOWN_EXECUTOR));
    }

    private static Collected fetch(AgentClient reader, String executor, BlockRange block) {
        Collected collected = new Collected(1, false);
        reader.fetch(new FetchRequest(TwoAgents.SERVER, executor, 7, List.of(block)), collected);
        return collected;
    }

    @Test
    void anApplicationWithoutASecretIsNotServed() throws Exception {
        hosts.startAgents(1);
        AgentClient executor = hosts.executor(TwoAgents.SERVER, "1", Secret.NONE);
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(executor.refusal(TwoAgents.READER))
                        .hasValueSatisfying(
                                refusal -> assertThat(refusal.detail()).contains("has no secret")));
        assertThat(hosts.status(TwoAgents.SERVER).at("/registered")).isEmpty();
    }

    @Test
    void anApplicationIsForgottenAlsoIfItsFilesGoAfterItsLastSession() throws Exception {
        hosts.startAgent(TwoAgents.READER, 1, Map.of());
        AgentClient executor = TwoAgents.awaitConnected(hosts.executor(TwoAgents.READER, "1"));
        executor.close();
        await().atMost(Duration.ofSeconds(10)).until(() -> hosts.sessions(TwoAgents.READER) == 0);
        assertThat(hosts.status(TwoAgents.READER).at("/registered")).isNotEmpty();

        Files.delete(hosts.files().localDir());

        await().atMost(Duration.ofSeconds(20))
                .until(() -> hosts.status(TwoAgents.READER).at("/registered").isEmpty());
    }

    private Map<Integer, FailureReason> firstFetch(Secret ofReader, Secret ofServer) throws Exception {
        TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "1", ofServer));
        AgentClient reader = TwoAgents.awaitConnected(hosts.executor(TwoAgents.READER, "2", ofReader));
        hosts.files().write(0, 1, 1000);
        return new OneBlock(reader).failures();
    }

    private String secretFile(String secret) throws IOException {
        Path file = Files.createFile(
                temp.resolve(secret),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, secret).toString();
    }

    private void awaitEmptyPools() {
        for (String host : List.of(TwoAgents.READER, TwoAgents.SERVER)) {
            await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
                JsonNode memory = hosts.status(host).at("/memory");
                assertThat(memory.at("/usedBytes").asLong()).isZero();
                assertThat(memory.at("/pinnedBytes").asLong()).isZero();
                assertThat(memory.at("/stagedBytes").asLong()).isZero();
            });
        }
    }
}
