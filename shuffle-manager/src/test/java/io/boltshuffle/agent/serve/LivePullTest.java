package io.boltshuffle.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.SimWindow;
import io.boltshuffle.agent.files.NoBlocks;
import io.boltshuffle.agent.live.BlockOwner;
import io.boltshuffle.agent.live.LiveBlocks;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.WireException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Pulls of a block in an owner's memory, ended in each way at each of their steps. */
class LivePullTest {

    private static final long SLAB_BYTES = 4 << 20;
    private static final int BLOCK_BYTES = 100_000;
    private static final BlockRange BLOCK = new LiveBlock(LiveBlock.Kind.RDD_PARTITION, 1, 2).toRange();

    private final Path directory;
    private final Owner owner = new Owner();
    private PullFixture fixture;
    private LiveBlocks live;
    private SimPullCable cable;
    private final SimWindow window = new SimWindow(SimPullCable.SimRange::new, Runnable::run);

    LivePullTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** How a pull ends. */
    private enum End {
        FREED,
        CONNECTION_LOST,
        OWNER_GONE
    }

    /** An owner that does what the test says, and answers nothing by itself. */
    private static final class Owner implements BlockOwner {
        private long asked;
        private boolean writes;
        private boolean isUnwanted;

        @Override
        public void layOut(long askId, BlockRange block, long maxBytes, long timeoutMillis) {
            asked = askId;
        }

        @Override
        public void layHere(long askId, long slabOffset, long bytes) {
            writes = true;
        }

        @Override
        public void unwanted(long askId) {
            isUnwanted = true;
        }
    }

    @BeforeEach
    void open() throws Exception {
        fixture = new PullFixture(directory, SLAB_BYTES, new NoBlocks());
        cable = new SimPullCable(new SimLoop(), fixture.loop);
        live = fixture.services.served().live();
        live.add(PullFixture.APPLICATION, PullFixture.EXECUTOR, owner);
    }

    /** The pool refuses to close while anything is out. */
    @AfterEach
    void allMemoryIsBack() throws Exception {
        cable.addSteps(step -> step.action().run());
        assertThat(fixture.services.budget().usedBytes()).isZero();
        assertThat(window.openAreas()).isZero();
        fixture.close();
    }

    private PullServer server(boolean isRead) {
        return new PullServer(
                fixture.services,
                "there",
                isRead ? () -> cable.server().up().stream().map(this::readable).toList() : cable.server(),
                fixture.said::add,
                application -> true);
    }

    private ActiveLink readable(ActiveLink link) {
        return new ActiveLink(link.id(), link.link(), link.ranges(), window, link.meter());
    }

    private static PullRequest request(long firstOffset, BlockRange... blocks) {
        return new PullRequest(
                PullFixture.APPLICATION,
                PullFixture.EXECUTOR,
                TimeUnit.HOURS.toMillis(1),
                1 << 20,
                firstOffset,
                List.of(blocks));
    }

    /** One step of a pull's life. */
    private interface Step {
        void take() throws Exception;
    }

    private List<Step> life(PullServer server) {
        return List.of(
                () -> server.onPull(1, request(0, BLOCK)),
                () -> live.onSize(owner, owner.asked, BLOCK_BYTES),
                this::runLoop,
                fixture::run,
                () -> live.onLaid(owner, owner.asked),
                fixture::run);
    }

    /** Stops where a reader has work. */
    private void runLoop() {
        while (fixture.loop.hasTask() && fixture.reader.isEmpty()) {
            fixture.loop.runTask();
        }
    }

    static Stream<Arguments> everyEndAtEveryStep() {
        return Stream.of(true, false)
                .flatMap(isRead -> IntStream.rangeClosed(1, 6)
                        .boxed()
                        .flatMap(steps -> Stream.of(End.values()).map(end -> Arguments.of(isRead, steps, end))));
    }

    @ParameterizedTest
    @MethodSource("everyEndAtEveryStep")
    void allGoesBackHoweverAPullEnds(boolean isRead, int steps, End end) throws Exception {
        PullServer server = server(isRead);
        for (Step step : life(server).subList(0, steps)) {
            step.take();
        }
        boolean writes = owner.writes && steps < 5;

        switch (end) {
            case FREED -> server.onFree(1);
            case CONNECTION_LOST -> server.close();
            case OWNER_GONE -> live.remove(owner, /* mayWrite= */ false, "gone");
        }
        fixture.run();

        if (writes && end != End.OWNER_GONE) {
            assertThat(fixture.services.budget().usedBytes())
                    .as("while the owner may write")
                    .isPositive();
            live.onNotLaid(owner, owner.asked, FailureReason.READ_ERROR, "ends early");
        }
        assertThat(owner.isUnwanted).isEqualTo(!writes && steps < 5 && end != End.OWNER_GONE);
        if (end == End.OWNER_GONE && steps < 5) {
            assertThat(fixture.said)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            ControlMessage.NotReady.class,
                            answer -> assertThat(answer.reason()).isEqualTo(FailureReason.UNKNOWN_EXECUTOR));
        }
        server.close();
        fixture.run();
    }

    @Test
    void aBlockThatIsLaidOutIsOfferedWhole() throws Exception {
        PullServer server = server(/* isRead= */ false);
        for (Step step : life(server)) {
            step.take();
        }

        assertThat(fixture.said).singleElement().isInstanceOfSatisfying(ControlMessage.Ready.class, ready -> {
            assertThat(ready.slices()).singleElement().satisfies(slice -> {
                assertThat(slice.isWhole()).isTrue();
                assertThat(slice.bytes()).isEqualTo(BLOCK_BYTES);
            });
            assertThat(ready.stripes()).isNotEmpty();
        });
        assertThat(live.status(0, 0).laidOut()).isEqualTo(1);
        server.close();
        fixture.run();
    }

    @Test
    void theNextBlockForAPeerThatReadsIsLaidWhereTheLastOneWas() throws Exception {
        PullServer server = server(/* isRead= */ true);
        for (int pull = 0; pull < 3; pull++) {
            for (Step step : life(server)) {
                step.take();
            }
            server.onFree(1);
            fixture.run();
            cable.addSteps(step -> step.action().run());
        }

        assertThat(fixture.said).hasSize(3).allMatch(ControlMessage.Ready.class::isInstance);
        assertThat(window.openAreas()).isEqualTo(1);
        server.close();
        fixture.run();
    }

    /** An offer that another link made already is withdrawn, so that its memory comes back. */
    @Test
    void aDefectWhileOneLinkOffersLeavesNothingOfferedByAnother() throws Exception {
        ActiveLink good = cable.server().up().get(0);
        ActiveLink defective = new ActiveLink(
                2,
                good.link(),
                lease -> {
                    throw new UnsupportedOperationException("of the test");
                },
                null,
                good.meter());
        PullServer server = new PullServer(
                fixture.services, "there", () -> List.of(good, defective), fixture.said::add, app -> true);
        server.onPull(1, request(0, BLOCK));
        live.onSize(owner, owner.asked, 2 * StripePlan.MIN_STRIPE_BYTES);
        fixture.run();
        live.onLaid(owner, owner.asked);
        fixture.run();

        assertThat(fixture.said)
                .singleElement()
                .isInstanceOfSatisfying(
                        ControlMessage.NotReady.class,
                        answer -> assertThat(answer.detail()).contains("of the test"));
        cable.letGo();
        cable.assertQuiet();
        server.close();
    }

    @Test
    void withoutMemoryAPullWaitsAndTheOwnerIsToldWhenItIsOver() throws Exception {
        List<Lease> rest = new ArrayList<>(List.of(fixture.lease(SLAB_BYTES - 4096)));
        PullServer server = server(/* isRead= */ false);
        server.onPull(1, request(0, BLOCK));
        live.onSize(owner, owner.asked, BLOCK_BYTES);
        fixture.run();
        assertThat(owner.writes).isFalse();

        rest.remove(0).release();
        fixture.run();

        assertThat(owner.writes).isTrue();
        server.onFree(1);
        live.onLaid(owner, owner.asked);
        fixture.run();
        server.close();
    }

    @Test
    void partsAndMixturesAreNoPulls() {
        PullServer server = server(/* isRead= */ false);

        assertThatThrownBy(() -> server.onPull(1, request(1, BLOCK))).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> server.onPull(1, request(0, BLOCK, BLOCK))).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> server.onPull(1, request(0, new BlockRange(0, 0, 0, 1), BLOCK)))
                .isInstanceOf(WireException.class);
        assertThat(owner.asked).isZero();
    }
}
