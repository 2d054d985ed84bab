package io.boltshuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabException;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.testing.SimPipe;
import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ExecutorMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import io.boltshuffle.wire.SlabFacts;
import io.boltshuffle.wire.WireException;
import io.boltshuffle.wire.WireLimits;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several blocks in one lease, and a listener that breaks at each place at which it can. */
class LeaseDeliveryTest {

    private static final int SLICES = 3;
    private static final int SLICE_BYTES = 100;
    private static final long LEASE = 42;

    private final Slab slab;
    private final SimLoop loop = new SimLoop();
    private final List<Long> releases = new ArrayList<>();
    private final ClientCounters counters = new ClientCounters();
    private final SimPipe pipe = SimPipe.connect(this::onSent, frame -> {});
    private final AgentSession session = new AgentSession(
            loop,
            registration(),
            new Unheard(),
            counters,
            SimLoop.NEVER.multipliedBy(8).toNanos());
    private final List<FetchedBytes> held = new ArrayList<>();
    private final List<Integer> failed = new ArrayList<>();

    LeaseDeliveryTest(@TempDir Path directory) throws Exception {
        slab = Slab.create(SlabLocation.file(directory.resolve("slab")), 1 << 20);
        session.start(pipe);
        say(new AgentMessage.Welcome(
                WireLimits.SESSION_VERSION,
                "host",
                1,
                new SlabFacts(
                        slab.descriptor().location().kind() == SlabLocation.Kind.POSIX_SHARED_MEMORY,
                        slab.descriptor().location().name(),
                        slab.descriptor().bytes(),
                        slab.descriptor().identityHigh(),
                        slab.descriptor().identityLow())));
        say(new AgentMessage.Registered());
    }

    @AfterEach
    void close() throws SlabException {
        slab.close();
    }

    /** The use that a listener has made of the bytes of a slice when it throws. */
    private enum Before {
        TAKEN {
            @Override
            void with(FetchedBytes bytes, List<FetchedBytes> held) {
                held.add(bytes);
            }
        },
        RELEASED {
            @Override
            void with(FetchedBytes bytes, List<FetchedBytes> held) {
                bytes.release();
            }
        },
        RELEASED_TWICE {
            @Override
            void with(FetchedBytes bytes, List<FetchedBytes> held) {
                bytes.release();
                bytes.release();
            }
        };

        abstract void with(FetchedBytes bytes, List<FetchedBytes> held);
    }

    static Stream<Arguments> everyPlace() {
        return Stream.of(Before.values())
                .flatMap(before -> IntStream.range(0, SLICES).mapToObj(slice -> Arguments.of(before, slice)));
    }

    @ParameterizedTest
    @MethodSource("everyPlace")
    void whatWasTakenBeforeAListenerBreaksIsNotTakenBackWhileItIsRead(Before before, int breaksAt) {
        fetch((slice, bytes) -> {
            if (slice.blockIndex() == breaksAt) {
                before.with(bytes, held);
                throw new OutOfMemoryError("made by a test");
            }
            held.add(bytes);
        });

        say(blocks(/* copyOut= */ false, SLICES));

        assertThat(failed).as("its reader may not have heard of it").hasSize(SLICES - breaksAt);
        assertGoesBackWithTheLastThatIsHeld();
    }

    @ParameterizedTest
    @MethodSource("everyPlace")
    void theReleaseOfASliceThatWasReleasedBeforeIsNotThatOfAnother(Before before, int at) {
        fetch((slice, bytes) -> {
            if (slice.blockIndex() == at) {
                before.with(bytes, held);
            } else {
                held.add(bytes);
            }
        });

        say(blocks(/* copyOut= */ false, SLICES));

        assertThat(failed).isEmpty();
        assertGoesBackWithTheLastThatIsHeld();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void slicesAreReadOneBehindTheOther(boolean copyOut) {
        byte[] content = new byte[3 * 4096];
        new Random(1).nextBytes(content);
        slab.view(8192, content.length).put(content);
        List<byte[]> read = new ArrayList<>();
        fetch((slice, bytes) -> {
            byte[] copy = new byte[bytes.buffer().remaining()];
            bytes.buffer().get(copy);
            read.add(copy);
            bytes.release();
        });

        say(new AgentMessage.Blocks(
                0,
                LEASE,
                8192,
                copyOut,
                List.of(
                        new BlockSlice(0, 0, 100, 100),
                        new BlockSlice(1, 0, 4100, 4100),
                        new BlockSlice(2, 0, 50, 50))));
        runTasks();

        assertThat(read)
                .containsExactly(
                        Arrays.copyOfRange(content, 0, 100),
                        Arrays.copyOfRange(content, 100, 4200),
                        Arrays.copyOfRange(content, 4200, 4250));
        assertThat(releases).containsExactly(LEASE);
    }

    /** The agent's mistake is found at the last slice, when tasks read the others. */
    @Test
    void whatWasTakenBeforeASliceThatWasNotToComeIsNotTakenBackWhileItIsRead() {
        fetch((slice, bytes) -> held.add(bytes));

        say(blocks(/* copyOut= */ false, SLICES + 1));

        assertThat(held).hasSize(SLICES);
        assertGoesBackWithTheLastThatIsHeld();
    }

    @Test
    void aLeaseThatIsCopiedGoesBackOnceThoughAListenerBreaks() {
        fetch((slice, bytes) -> {
            held.add(bytes);
            throw new OutOfMemoryError("made by a test");
        });

        say(blocks(/* copyOut= */ true, SLICES));

        assertThat(releases).containsExactly(LEASE);
        releaseAll();
        assertThat(releases).containsExactly(LEASE);
        assertThat(counters.copiedOutBytes()).isEqualTo(SLICES * SLICE_BYTES);
    }

    @Test
    void aLeaseForAFetchThatIsOverGoesBackOnce() {
        fetch((slice, bytes) -> held.add(bytes));
        loop.fire(0);

        say(blocks(/* copyOut= */ false, SLICES));

        assertThat(failed).hasSize(SLICES);
        assertThat(held).isEmpty();
        assertThat(releases).containsExactly(LEASE);
    }

    @Test
    void aListenerThatAlsoBreaksAsItHearsOfTheEndKeepsWhatItReads() {
        FetchListener breaking = new FetchListener() {
            @Override
            public void onSlice(BlockSlice slice, FetchedBytes bytes) {
                held.add(bytes);
                if (slice.blockIndex() == 1) {
                    throw new IllegalStateException("made by a test");
                }
            }

            @Override
            public void onFailed(int blockIndex, FailureReason reason, String detail) {
                throw new AssertionError("made by a test");
            }
        };
        session.fetch(request(), TimeUnit.SECONDS.toNanos(30), breaking);

        say(blocks(/* copyOut= */ false, SLICES));

        assertThat(held).hasSize(2);
        assertGoesBackWithTheLastThatIsHeld();
    }

    @Test
    void theSocketOfASessionThatCanSendNoMoreStaysOpenUntilAllIsReleased() {
        fetch((slice, bytes) -> held.add(bytes));
        say(blocks(/* copyOut= */ false, SLICES));

        assertThat(session.onMuted("made by a test")).isTrue();

        assertThat(session.usesMemoryOfOtherEnd()).isTrue();
        assertThat(pipe.isIntact()).isTrue();
        releaseAll();
        assertThat(session.usesMemoryOfOtherEnd()).isFalse();
        assertThat(pipe.isIntact()).isFalse();
    }

    private void assertGoesBackWithTheLastThatIsHeld() {
        for (FetchedBytes bytes : List.copyOf(held)) {
            runTasks();
            assertThat(releases).as("with %d still held", held.size()).isEmpty();
            held.remove(bytes);
            bytes.release();
            bytes.release();
        }
        runTasks();
        assertThat(releases).containsExactly(LEASE);
        assertThat(counters.forgottenCount()).isZero();
    }

    private void releaseAll() {
        held.forEach(FetchedBytes::release);
        runTasks();
    }

    private void runTasks() {
        while (loop.hasTask()) {
            loop.runTask();
        }
    }

    private interface OnSlice {
        void told(BlockSlice slice, FetchedBytes bytes);
    }

    private void fetch(OnSlice onSlice) {
        session.fetch(request(), TimeUnit.SECONDS.toNanos(30), new FetchListener() {
            @Override
            public void onSlice(BlockSlice slice, FetchedBytes bytes) {
                onSlice.told(slice, bytes);
            }

            @Override
            public void onFailed(int blockIndex, FailureReason reason, String detail) {
                failed.add(blockIndex);
            }
        });
    }

    private static FetchRequest request() {
        return new FetchRequest(
                "host",
                "1",
                7,
                LongStream.range(0, SLICES)
                        .mapToObj(map -> new BlockRange(0, map, 0, 1))
                        .toList());
    }

    private static AgentMessage.Blocks blocks(boolean copyOut, int slices) {
        return new AgentMessage.Blocks(
                0,
                LEASE,
                0,
                copyOut,
                IntStream.range(0, slices)
                        .mapToObj(block -> new BlockSlice(block, 0, SLICE_BYTES, SLICE_BYTES))
                        .toList());
    }

    /** Delivers a message as the socket's channel does: it tells the session of one that is not understood. */
    private void say(AgentMessage message) {
        ByteBuffer frame = AgentMessage.CODEC.encode(message);
        frame.getInt(); // the length, which a socket's reader takes off
        try {
            session.onFrame(frame);
        } catch (WireException e) {
            session.onGarbage(e);
        }
    }

    private void onSent(ByteBuffer frame) {
        try {
            if (ExecutorMessage.CODEC.decode(frame) instanceof ExecutorMessage.Release release) {
                releases.add(release.leaseId());
            }
        } catch (WireException e) {
            throw new AssertionError("the session broke the protocol", e);
        }
    }

    private static Registration registration() {
        return new Registration("app-1", "1", List.of(), 1, "sort", Secret.of(new byte[] {1}));
    }
}
