package io.boltshuffle.agent.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.agent.stage.BlockUnavailableException;
import io.boltshuffle.agent.stage.FileRange;
import io.boltshuffle.agent.stage.NoBlocks;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.Stripe;
import io.boltshuffle.wire.WireException;
import io.boltshuffle.wire.WireLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pull that is answered in parts: what a peer says of it, and what becomes of that at the other end. */
class ReadyInPartsTest {

    private static final long SLAB_BYTES = 1 << 20;
    private static final int PART = 4 * WireLimits.FRAME_BYTES;
    private static final int FILE_BYTES = 400_000;

    private final Path directory;
    private final byte[] content = new byte[FILE_BYTES];
    private final Path file;
    /** Where each block begins in the file, and where the last one ends. */
    private int[] bounds = {0};

    private PullGround ground;
    private PullGround asking;
    private SimPullCable cable;
    private PullServer server;

    ReadyInPartsTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        new Random(1).nextBytes(content);
        file = Files.write(directory.resolve("content"), content);
    }

    private final class Blocks extends NoBlocks {
        @Override
        public FileRange locate(String application, String executor, BlockRange block)
                throws BlockUnavailableException {
            int map = (int) block.mapId();
            return new FileRange(file, null, bounds[map], bounds[map + 1] - bounds[map]);
        }
    }

    @BeforeEach
    void serve() throws Exception {
        ground = new PullGround(Files.createDirectory(directory.resolve("server")), SLAB_BYTES, new Blocks());
        asking = new PullGround(Files.createDirectory(directory.resolve("reader")), SLAB_BYTES, new NoBlocks());
        cable = new SimPullCable(asking.loop, ground.loop);
        server =
                new PullServer(ground.services.inPartsOf(PART), "there", cable.server(), ground.said::add, app -> true);
    }

    /** The pool refuses to close while anything is out. */
    @AfterEach
    void allMemoryIsBack() throws Exception {
        server.close();
        cable.letGo();
        assertThat(ground.services.served().budget().usedBytes()).isZero();
        ground.close();
        asking.close();
    }

    private long[] blocks(int... lengths) {
        bounds = new int[lengths.length + 1];
        for (int i = 0; i < lengths.length; i++) {
            bounds[i + 1] = bounds[i] + lengths[i];
        }
        return LongStream.range(0, lengths.length).toArray();
    }

    static Stream<int[]> lengths() {
        return Stream.of(
                new int[] {100_000},
                new int[] {PART * 2},
                new int[] {10_000, 50_000, 3_000},
                new int[] {20_000, 20_000, 20_000},
                new int[] {1, PART, 1, 3 * PART, 1},
                new int[] {65_536, 1, 40_000},
                new int[] {3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000},
                new int[] {4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000});
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void thePartsAndTheAnswerTogetherHaveAllBytes(int... lengths) throws Exception {
        PullRequest request = PullGround.request(blocks(lengths));
        server.onPull(1, request);
        ground.run();

        int last = ground.said.size() - 1;
        ControlMessage.Ready ready = (ControlMessage.Ready) ground.said.get(last);
        List<Stripe> earlier = new ArrayList<>();
        long memoryBytes = 0;
        long end = 0;
        for (ControlMessage message : ground.said.subList(0, last)) {
            ControlMessage.ReadyPart part = (ControlMessage.ReadyPart) message;
            end = ReadyCheck.checkPart(request, part, end);
            assertThat(memoryBytes).isIn(0L, part.memoryBytes());
            memoryBytes = part.memoryBytes();
            earlier.addAll(part.stripes());
        }
        ReadyCheck check = ReadyCheck.of(request, earlier, ready);
        int all = bounds[lengths.length];
        assertThat(earlier).isNotEmpty();
        assertThat(ready.stripes()).isNotEmpty();
        assertThat(check.bytes()).isEqualTo(all);
        assertThat(check.memoryBytes()).isLessThanOrEqualTo(memoryBytes);
        assertThat(ready.slices()).hasSameSizeAs(lengths).allMatch(BlockSlice::isWhole);
        earlier.addAll(ready.stripes());
        assertThat(arrived(earlier, ready.slices())).isEqualTo(Arrays.copyOf(content, all));
        server.onFree(1);
    }

    /** Moves all, and returns the slices' bytes. */
    private byte[] arrived(List<Stripe> stripes, List<BlockSlice> slices) {
        ByteBuffer memory = ByteBuffer.allocate((int) SLAB_BYTES);
        for (Stripe stripe : stripes) {
            memory.position((int) WireLimits.wholeFrames(memory.position()));
            memory.put(cable.fetched(stripe, asking));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int at = 0;
        for (BlockSlice slice : slices) {
            at += slice.gapBytes();
            bytes.write(memory.array(), at, (int) slice.bytes());
            at += (int) slice.bytes();
        }
        return bytes.toByteArray();
    }

    /** While another one moves, there is nothing to gain. */
    @Test
    void aPullThatIsNotAloneIsAnsweredOnce() throws Exception {
        server.onPull(1, PullGround.request(blocks(100_000)));
        server.onPull(2, PullGround.request(0));
        ground.run();

        assertThat(ground.said.stream().filter(ControlMessage.ReadyPart.class::isInstance))
                .allMatch(part -> ((ControlMessage.ReadyPart) part).pullId() == 1);
        assertThat(ground.said.stream().filter(ControlMessage.Ready.class::isInstance))
                .hasSize(2);
        server.onFree(1);
        server.onFree(2);
    }

    @Test
    void aSmallPullIsAnsweredOnce() throws Exception {
        server.onPull(1, PullGround.request(blocks(PART + PART / 2)));
        ground.run();

        assertThat(ground.said).singleElement().isInstanceOf(ControlMessage.Ready.class);
        server.onFree(1);
    }

    /** The first parts of a block have been offered: the answer cannot be that there is no such block. */
    @Test
    void aBlockThatCanBeReadOnlyInPartFailsItsPull() throws Exception {
        blocks(100_000);
        bounds = new int[] {FILE_BYTES - 50_000, FILE_BYTES + 50_000};

        server.onPull(1, PullGround.request(0));
        ground.run();

        assertThat(ground.said.get(0)).isInstanceOf(ControlMessage.ReadyPart.class);
        assertThat(ground.said.get(ground.said.size() - 1))
                .isInstanceOfSatisfying(
                        ControlMessage.NotReady.class,
                        notReady -> assertThat(notReady.reason()).isEqualTo(FailureReason.READ_ERROR));
        assertThat(server.pullCount()).isZero();
    }

    /** A small block that cannot be read fails alone, among others that come in parts. */
    @Test
    void aBlockThatCannotBeReadIsLeftOutOfItsPart() throws Exception {
        PullRequest request = PullGround.request(0, 1, 2);
        List<FileRange> places = List.of(
                new FileRange(file, null, 0, 30_000),
                new FileRange(file, null, FILE_BYTES - 500, 1_000),
                new FileRange(file, null, 30_000, 40_000));
        PullGround own = new PullGround(Files.createDirectory(directory.resolve("own")), SLAB_BYTES, new NoBlocks() {
            @Override
            public FileRange locate(String application, String executor, BlockRange block) {
                return places.get((int) block.mapId());
            }
        });
        SimPullCable ownCable = new SimPullCable(asking.loop, own.loop);
        PullServer ownServer =
                new PullServer(own.services.inPartsOf(PART), "there", ownCable.server(), own.said::add, app -> true);

        ownServer.onPull(1, request);
        own.run();

        ControlMessage.Ready ready = (ControlMessage.Ready) own.said.get(own.said.size() - 1);
        List<Stripe> earlier = own.said.stream()
                .filter(ControlMessage.ReadyPart.class::isInstance)
                .flatMap(part -> ((ControlMessage.ReadyPart) part).stripes().stream())
                .toList();
        assertThat(earlier).isNotEmpty();
        assertThat(ready.failures()).containsExactly(new BlockFailure(1, FailureReason.READ_ERROR));
        assertThat(ReadyCheck.of(request, earlier, ready).bytes()).isEqualTo(70_000);
        ownServer.close();
        ownCable.letGo();
        own.close();
    }

    @Test
    void aPullThatIsFreedWhileItIsReadSaysNothingMore() throws Exception {
        server.onPull(1, PullGround.request(blocks(100_000)));
        ground.reader.remove().run();
        server.onFree(1);
        ground.run();

        assertThat(ground.said).isEmpty();
    }

    // ---- the other end

    /** Collects what a fetch brings. */
    private static final class Receiver implements FetchReceiver {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final List<FailureReason> failures = new ArrayList<>();
        private boolean done;

        @Override
        public boolean isWanted() {
            return true;
        }

        @Override
        public void onStarted(Runnable cancel) {
            // This fetch is never called off.
        }

        @Override
        public void onBlocks(Lease lease, List<BlockSlice> slices) {
            int at = 0;
            for (BlockSlice slice : slices) {
                at += slice.gapBytes();
                byte[] some = new byte[(int) slice.bytes()];
                lease.view(at, some.length).get(some);
                bytes.writeBytes(some);
                at += some.length;
            }
            lease.release();
        }

        @Override
        public void onBlockFailures(List<BlockFailure> blocks, String detail) {
            throw new AssertionError("no block fails alone");
        }

        @Override
        public void onDone() {
            done = true;
        }

        @Override
        public void onFailed(FailureReason reason, String detail) {
            failures.add(reason);
        }
    }

    private final Receiver receiver = new Receiver();

    private PullClient fetch(long... maps) {
        PullClient client = new PullClient(asking.services, cable.reader(), asking.said::add);
        FetchOrder order = new FetchOrder(
                PullGround.APPLICATION,
                "there",
                PullGround.EXECUTOR,
                new LeaseOwner("a task"),
                asking.loop.nanoTime(),
                TimeUnit.HOURS.toNanos(1),
                LongStream.of(maps)
                        .mapToObj(map -> new BlockRange(0, map, 0, 1))
                        .toList());
        client.start(order, receiver);
        return client;
    }

    /** The peer serves what was asked for first, and says all that it has to say. */
    private ControlMessage.Pull servePull() throws WireException {
        ControlMessage.Pull pull = (ControlMessage.Pull) asking.said.get(0);
        server.onPull(pull.pullId(), pull.request());
        ground.run();
        return pull;
    }

    private void carry(PullClient client) throws WireException {
        for (ControlMessage message : List.copyOf(asking.said)) {
            if (message instanceof ControlMessage.Pull pull) {
                server.onPull(pull.pullId(), pull.request());
            } else if (message instanceof ControlMessage.Free free) {
                server.onFree(free.pullId());
            }
        }
        asking.said.clear();
        ground.run();
        for (ControlMessage message : List.copyOf(ground.said)) {
            hear(client, message);
            asking.run();
            // What the part before it told of moves before the next one is heard.
            cable.letGo();
            asking.run();
        }
        ground.said.clear();
    }

    private static void hear(PullClient client, ControlMessage message) throws WireException {
        if (message instanceof ControlMessage.ReadyPart part) {
            client.onReadyPart(part);
        } else if (message instanceof ControlMessage.Ready ready) {
            client.onReady(ready);
        } else if (message instanceof ControlMessage.NotReady notReady) {
            client.onNotReady(notReady);
        }
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void aFetchThatComesInPartsHasItsBytes(int... lengths) throws Exception {
        PullClient client = fetch(blocks(lengths));
        for (int i = 0; i < 5 && !receiver.done; i++) {
            carry(client);
        }
        carry(client);

        assertThat(receiver.failures).isEmpty();
        assertThat(receiver.done).isTrue();
        assertThat(receiver.bytes.toByteArray()).isEqualTo(Arrays.copyOf(content, bounds[lengths.length]));
    }

    /** Its first part moves before the rest is known. */
    @Test
    void aPartMovesBeforeTheAnswerComes() throws Exception {
        PullClient client = fetch(blocks(100_000));
        ControlMessage.Pull pull = servePull();

        hear(client, ground.said.get(0));
        asking.run();
        List<String> steps = new ArrayList<>();
        cable.addSteps(step -> steps.add(step.name()));

        assertThat(steps).anyMatch(step -> step.endsWith("is verified"));
        assertThat(receiver.bytes.size()).isZero();
        client.close(FailureReason.PEER_UNREACHABLE, "the test is over");
        server.onFree(pull.pullId());
        cable.letGo();
        asking.run();
        cable.letGo();
    }

    @Test
    void aReadErrorBehindAPartFailsTheFetch() throws Exception {
        blocks(100_000);
        bounds = new int[] {FILE_BYTES - 50_000, FILE_BYTES + 50_000};
        PullClient client = fetch(0);
        ControlMessage.Pull unused = servePull();
        for (ControlMessage message : ground.said) {
            hear(client, message);
            asking.run();
        }
        cable.letGo();
        asking.run();
        cable.letGo();

        assertThat(receiver.failures).containsExactly(FailureReason.READ_ERROR);
        assertThat(receiver.bytes.size()).isZero();
    }

    private static ControlMessage.ReadyPart part(long memoryBytes, long... stripes) {
        return new ControlMessage.ReadyPart(
                0,
                memoryBytes,
                LongStream.of(stripes)
                        .mapToObj(bytes -> new Stripe(1, bytes, Opaque.of(new byte[0])))
                        .toList());
    }

    /** A peer that says what makes no sense is not believed any more: the connection ends. */
    @Test
    void partsThatMakeNoSenseAreRefused() throws Exception {
        long window = 128 << 10;
        assertRefused("a part of more than the window", part(window + window / 8 + 1, PART));
        assertRefused("a part without bytes", part(PART));
        assertRefused("a part that does not fit its memory", part(PART, PART, 1));
        assertRefused("a stripe of 0 bytes", part(PART, 0));
        assertRefused("differ in the memory", part(2 * PART, PART), part(3 * PART, PART));
        assertRefused("a part that does not fit its memory", part(2 * PART, PART), part(2 * PART, PART, 1));
    }

    private void assertRefused(String why, ControlMessage.ReadyPart... parts) {
        SimLoop loop = asking.loop;
        PullClient client = fetch(blocks(100_000));
        assertThatThrownBy(() -> {
                    for (ControlMessage.ReadyPart part : parts) {
                        client.onReadyPart(part);
                    }
                })
                .isInstanceOf(WireException.class)
                .hasMessageContaining(why);
        client.close(FailureReason.PEER_UNREACHABLE, "the connection ends");
        while (loop.hasTask()) {
            loop.runTask();
        }
        asking.said.clear();
    }

    @Test
    void anAnswerThatIsMoreThanItsPartsSaidIsRefused() throws Exception {
        PullClient client = fetch(blocks(100_000));
        ControlMessage.Pull pull = servePull();
        ControlMessage.ReadyPart first = (ControlMessage.ReadyPart) ground.said.get(0);
        client.onReadyPart(new ControlMessage.ReadyPart(first.pullId(), PART, first.stripes()));
        List<ControlMessage> rest = ground.said.subList(1, ground.said.size());
        List<Stripe> others = new ArrayList<>();
        rest.forEach(message -> others.addAll(
                message instanceof ControlMessage.ReadyPart part
                        ? part.stripes()
                        : ((ControlMessage.Ready) message).stripes()));
        ControlMessage.Ready ready = (ControlMessage.Ready) rest.get(rest.size() - 1);

        assertThatThrownBy(() -> client.onReady(new ControlMessage.Ready(
                        ready.pullId(), ready.slices(), ready.failures(), ready.detail(), others)))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("more than its parts said");

        client.close(FailureReason.PEER_UNREACHABLE, "the connection ends");
        server.onFree(pull.pullId());
        asking.run();
        cable.letGo();
        asking.run();
        cable.letGo();
    }
}
