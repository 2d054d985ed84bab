package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.FetchListener;
import io.boltshuffle.client.FetchRequest;
import io.boltshuffle.client.FetchedBytes;
import io.boltshuffle.testing.ShuffleFiles;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One of many listeners breaks on the client's thread, as when memory runs out there. */
@Tag("slow")
class DefectiveListenerTest {

    private static final int BYTES = 100_000;
    private static final FetchRequest REQUEST = new FetchRequest(TwoAgents.SERVER, "1", 7, List.of(OneBlock.BLOCK));

    private final TwoAgents hosts;

    DefectiveListenerTest(@TempDir Path temp) throws IOException {
        hosts = new TwoAgents(temp, Map.of());
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    private static final class Defective implements FetchListener {
        @Override
        public void onSlice(BlockSlice slice, FetchedBytes bytes) {
            throw new OutOfMemoryError("made by a test");
        }

        @Override
        public void onFailed(int blockIndex, FailureReason reason, String detail) {
            throw new AssertionError("made by a test");
        }
    }

    @Test
    void whatOtherTasksReadStaysTheirsAndTheNextFetchGoesByRdma() throws Exception {
        hosts.startAgents(1);
        OneBlock block = OneBlock.written(hosts, BYTES);
        AgentClient reader = block.reader();
        Collected other = block.fetch(/* keep= */ true).await();
        assertThat(other.failures()).isEmpty();

        reader.fetch(REQUEST, new Defective());

        // Two sessions: the one given up, open for what is still read, and the one in its place.
        await().atMost(Duration.ofSeconds(20)).until(() -> sessions() == 2);
        TwoAgents.awaitConnected(reader);
        // The broken listener might have handed on what it was given: only the collector can tell that it did not.
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            System.gc();
            return pinnedBytes() == BYTES;
        });
        assertThat(reader.counters().forgottenCount()).isEqualTo(1);
        assertThat(block.failures()).isEmpty();
        other.releaseAll();
        await().atMost(Duration.ofSeconds(20)).until(() -> sessions() == 1 && pinnedBytes() == 0);
    }

    /** Several blocks to a lease, of which a task reads some as the listener breaks over another. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 7})
    void whatABrokenListenerWasGivenBeforeStaysUntilItsTaskLetsGo(int breaksAt) throws Exception {
        hosts.startAgents(1);
        AgentClient reader = hosts.connectedReader();
        List<BlockRange> blocks = new ArrayList<>();
        for (int map = 0; map < 8; map++) {
            hosts.files().write(0, map, BYTES);
            blocks.add(new BlockRange(0, map, 0, 1));
        }
        BreakingLate broken = new BreakingLate(blocks, breaksAt);

        reader.fetch(new FetchRequest(TwoAgents.SERVER, "1", 7, blocks), broken);

        await().atMost(Duration.ofSeconds(20)).until(() -> broken.isOver() && sessions() == 2);
        TwoAgents.awaitConnected(reader);
        Collected others = new Collected(blocks.size(), /* keep= */ true);
        reader.fetch(new FetchRequest(TwoAgents.SERVER, "1", 7, blocks.subList(4, 8)), others);
        reader.fetch(new FetchRequest(TwoAgents.SERVER, "1", 7, blocks.subList(0, 4)), others);
        await().atMost(Duration.ofSeconds(20)).until(() -> others.slices() == blocks.size());
        broken.releaseIntact(hosts.files());
        others.releaseAll();
        await().atMost(Duration.ofSeconds(20)).until(() -> sessions() == 1 && pinnedBytes() == 0);
        assertThat(reader.counters().forgottenCount()).isZero();
    }

    /** Keeps all it is given, and breaks over one of them. */
    private static final class BreakingLate implements FetchListener {
        private final List<BlockRange> blocks;
        private final int breaksAt;
        private final Map<Integer, FetchedBytes> held = new ConcurrentHashMap<>();
        private final AtomicInteger failed = new AtomicInteger();

        BreakingLate(List<BlockRange> blocks, int breaksAt) {
            this.blocks = blocks;
            this.breaksAt = breaksAt;
        }

        @Override
        public void onSlice(BlockSlice slice, FetchedBytes bytes) {
            held.put(slice.blockIndex(), bytes);
            if (slice.blockIndex() == breaksAt) {
                throw new OutOfMemoryError("made by a test");
            }
        }

        @Override
        public void onFailed(int blockIndex, FailureReason reason, String detail) {
            failed.incrementAndGet();
        }

        /** The block over which it broke has failed, too. */
        boolean isOver() {
            return held.size() + failed.get() == blocks.size() + 1;
        }

        void releaseIntact(ShuffleFiles files) throws IOException {
            for (Map.Entry<Integer, FetchedBytes> each : held.entrySet()) {
                assertThat(each.getValue().buffer())
                        .isEqualTo(ByteBuffer.wrap(files.expected(blocks.get(each.getKey()))));
            }
            held.values().forEach(FetchedBytes::release);
        }
    }

    /** Here without an agent, so that the listener is called outside of any session. */
    @Test
    void othersAreStillAnsweredByAClientWithoutAnAgent() throws Exception {
        AgentClient reader = hosts.executor(TwoAgents.READER, "2");

        reader.fetch(REQUEST, new Defective());

        assertThat(new OneBlock(reader).failures()).hasSize(1);
    }

    private int sessions() throws IOException {
        return hosts.sessions(TwoAgents.READER);
    }

    private long pinnedBytes() throws IOException {
        return hosts.pinnedBytes(TwoAgents.READER);
    }
}
