package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.LayOut;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks in the memory of an executor, from the one that has them to one on the other host. */
@Tag("slow")
class LiveBlocksLoopbackTest {

    private static final int MIB = 1 << 20;
    /** Pulls of one block in memory have at most three sixteenths of the slab. */
    private static final int MOST_BYTES = 12 * MIB;

    private final TwoAgents hosts;
    private final ExecutorService owners = Executors.newCachedThreadPool();
    private AgentClient owner;
    private AgentClient reader;

    LiveBlocksLoopbackTest(@TempDir Path temp) throws IOException {
        this.hosts = new TwoAgents(temp, Map.of());
    }

    /** An owner's answer to an order, on a thread of its own. */
    @FunctionalInterface
    private interface Layer {
        void layOut(LayOut order) throws IOException, InterruptedException;
    }

    @BeforeEach
    void start() throws Exception {
        hosts.startAgents(1);
        owner = TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "1"));
        reader = TwoAgents.awaitConnected(hosts.executor(TwoAgents.READER, "2"));
    }

    @AfterEach
    void end() {
        owners.shutdownNow();
        hosts.close();
    }

    @Test
    void aBlockArrivesAsItWasLaidOut() throws Exception {
        serve(order -> layOut(order, content(3 * MIB + 17)));

        assertThat(fetch().block(0)).isEqualTo(content(3 * MIB + 17));
        awaitNothingStaged();
    }

    /** Its parts would be asked for one after the other, and the block could be another one meanwhile. */
    @Test
    void aBlockLargerThanTheWindowComesWhole() throws Exception {
        serve(order -> layOut(order, content(MOST_BYTES)));

        Collected collected = fetch();

        assertThat(collected.block(0)).isEqualTo(content(MOST_BYTES));
        assertThat(collected.slices()).isEqualTo(1);
    }

    @Test
    void severalBlocksOfOneFetchArrive() throws Exception {
        serve(order -> layOut(order, content(1000 + order.block().part())));

        Collected collected = Collected.fetch(reader, List.of(block(1), block(2), block(3)), /* keep= */ false)
                .await();

        for (int i = 0; i < 3; i++) {
            assertThat(collected.block(i)).isEqualTo(content(1001 + i));
        }
    }

    @Test
    void aPieceOfABroadcastThatIsAskedForAgainIsNotLaidOutAgain() throws Exception {
        serve(order -> layOut(order, content(MIB)));

        assertThat(fetch().block(0)).isEqualTo(content(MIB));
        assertThat(fetch().block(0)).isEqualTo(content(MIB));

        assertThat(live("laidOut")).isEqualTo(1);
        assertThat(live("shared")).isEqualTo(1);
        awaitNothingStaged();
        assertThat(fetch().block(0)).isEqualTo(content(MIB));
        assertThat(live("laidOut")).as("after its time").isEqualTo(2);
    }

    @Test
    void manyWhoAskAtOnceShareOneCopy() throws Exception {
        CountDownLatch allAsked = new CountDownLatch(1);
        serve(order -> {
            allAsked.await();
            layOut(order, content(3 * MIB));
        });
        List<Collected> fetches = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            fetches.add(Collected.fetch(reader, List.of(cached()), /* keep= */ false));
        }
        await().atMost(Duration.ofSeconds(10))
                .until(() -> hosts.status(TwoAgents.SERVER)
                                .at("/peers/0/servedPulls")
                                .asInt()
                        == 6);
        allAsked.countDown();

        for (Collected fetched : fetches) {
            assertThat(fetched.await().block(0)).isEqualTo(content(3 * MIB));
        }
        assertThat(live("laidOut")).isEqualTo(1);
        assertThat(live("shared")).isEqualTo(5);
        awaitNothingStaged();
    }

    @Test
    void whyABlockIsNotLaidOutReachesTheReader() throws Exception {
        serve(order -> order.failed(FailureReason.UNKNOWN_BLOCK, "dropped"));

        assertThat(fetch().failures()).isEqualTo(Map.of(0, FailureReason.UNKNOWN_BLOCK));
        awaitNothingStaged();
    }

    @Test
    void anOwnerThatFailsWhileItWritesIsHeard() throws Exception {
        serve(order -> {
            memory(order, 1000).put(new byte[10]);
            order.failed(FailureReason.READ_ERROR, "ends early");
        });

        assertThat(fetch().failures()).isEqualTo(Map.of(0, FailureReason.READ_ERROR));
        awaitNothingStaged();
    }

    @Test
    void theOwnerLearnsWhatIsTooLarge() throws Exception {
        serve(order ->
                order.failed(order.maxBytes() == MOST_BYTES ? FailureReason.TOO_LARGE : FailureReason.PROTOCOL, ""));

        assertThat(fetch().failures()).isEqualTo(Map.of(0, FailureReason.TOO_LARGE));
    }

    @Test
    void anExecutorThatOffersNoneIsNotAsked() throws Exception {
        assertThat(fetch().failures()).isEqualTo(Map.of(0, FailureReason.UNKNOWN_EXECUTOR));
    }

    @Test
    void anOwnerThatEndsWhileItLooksForABlockIsAnAnswer() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        serve(order -> asked.countDown());
        Collected collected = Collected.fetch(reader, List.of(block(1)), /* keep= */ false);
        assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();

        owner.close();

        assertThat(collected.await().failures().get(0)).isIn(FailureReason.UNKNOWN_EXECUTOR, FailureReason.STOPPING);
        awaitNothingStaged();
    }

    /** Until the owner answers, or its process is gone, it may write. */
    @Test
    void theMemoryOfAnOwnerThatWritesStaysItsOwnAfterTheReaderGaveUp() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        serve(order -> {
            ByteBuffer memory = memory(order, 1000);
            writing.countDown();
            goOn.await();
            memory.put(content(1000));
            order.laid();
        });
        Collected collected = Collected.fetch(reader, List.of(block(1)), /* keep= */ false);
        assertThat(writing.await(20, TimeUnit.SECONDS)).isTrue();

        assertThat(collected.await().failures()).as("after 5 s").isEqualTo(Map.of(0, FailureReason.DEADLINE));
        assertThat(stagedBytes()).isPositive();
        goOn.countDown();

        awaitNothingStaged();
    }

    @Test
    void anOwnerThatIsTooSlowToAskForMemoryGetsNone() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch refused = new CountDownLatch(1);
        serve(order -> {
            over.await();
            try {
                memory(order, 1000);
            } catch (IOException e) {
                refused.countDown();
                order.failed(FailureReason.DEADLINE, String.valueOf(e.getMessage()));
            }
        });

        assertThat(fetch().failures()).isEqualTo(Map.of(0, FailureReason.DEADLINE));
        over.countDown();

        assertThat(refused.await(20, TimeUnit.SECONDS)).isTrue();
        awaitNothingStaged();
    }

    @Test
    void anOwnerServesTheAgentThatComesNext() throws Exception {
        serve(order -> layOut(order, content(1000)));
        assertThat(fetch().block(0)).isEqualTo(content(1000));

        hosts.stopAgent(TwoAgents.SERVER);
        await().atMost(Duration.ofSeconds(10)).until(() -> owner.refusal("any").isPresent());
        hosts.startAgent(TwoAgents.SERVER, 1, Map.of());
        TwoAgents.awaitConnected(owner);

        await().atMost(Duration.ofSeconds(30)).until(() -> fetch().failures().isEmpty());
    }

    private void serve(Layer layer) {
        owner.serve(order -> owners.execute(() -> {
            try {
                layer.layOut(order);
            } catch (IOException | InterruptedException e) {
                order.failed(FailureReason.READ_ERROR, e.toString());
            }
        }));
        await().atMost(Duration.ofSeconds(10)).until(() -> live("owners") == 1);
    }

    private long live(String figure) throws IOException {
        return hosts.status(TwoAgents.SERVER).at("/live/" + figure).asLong();
    }

    private static ByteBuffer memory(LayOut order, long bytes) throws IOException, InterruptedException {
        CompletableFuture<ByteBuffer> memory = new CompletableFuture<>();
        order.memory(bytes, (lent, failure) -> {
            if (lent == null) {
                memory.completeExceptionally(failure);
            } else {
                memory.complete(lent);
            }
        });
        try {
            return memory.get();
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void layOut(LayOut order, byte[] content) throws IOException, InterruptedException {
        memory(order, content.length).put(content);
        order.laid();
    }

    private Collected fetch() throws InterruptedException {
        return Collected.fetch(reader, List.of(block(1)), /* keep= */ false).await();
    }

    private static BlockRange cached() {
        return new LiveBlock(LiveBlock.Kind.RDD_PARTITION, 5, 1).toRange();
    }

    private static BlockRange block(int part) {
        return new LiveBlock(LiveBlock.Kind.BROADCAST_PIECE, 5, part).toRange();
    }

    private static byte[] content(int bytes) {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return content;
    }

    private void awaitNothingStaged() {
        await().atMost(Duration.ofSeconds(10)).until(() -> stagedBytes() == 0);
    }

    private long stagedBytes() throws IOException {
        return hosts.status(TwoAgents.SERVER).at("/memory/stagedBytes").asLong();
    }
}
