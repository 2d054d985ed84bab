package io.boltshuffle.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkSet;
import io.boltshuffle.agent.files.BlockUnavailableException;
import io.boltshuffle.agent.files.FileRange;
import io.boltshuffle.agent.files.NoBlocks;
import io.boltshuffle.agent.files.ShuffledBlocks;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows what becomes of served pulls when readers fail, and of requests whose pull has ended. */
class PullServerTest {

    private static final long SLAB_BYTES = 1 << 20;

    private final Path directory;
    private final ShuffledBlocks blocks;
    private Locator locator;
    private int locates;
    private PullFixture fixture;
    private SimPullCable cable;
    private PullServer server;

    /** Finds a block, or fails to. */
    @FunctionalInterface
    private interface Locator {
        FileRange locate(BlockRange block) throws BlockUnavailableException;
    }

    PullServerTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.blocks = new ShuffledBlocks(directory);
        this.locator = block -> blocks.locate(PullFixture.APPLICATION, PullFixture.EXECUTOR, block);
    }

    @BeforeEach
    void serve() throws Exception {
        fixture = new PullFixture(directory, SLAB_BYTES, new CountedSource());
        cable = new SimPullCable(new SimLoop(), fixture.loop);
        server = new PullServer(fixture.services, "there", cable.server(), fixture.said::add, app -> true);
    }

    /** The pool refuses to close while anything is out. */
    @AfterEach
    void allMemoryIsBack() throws Exception {
        assertThat(fixture.services.budget().usedBytes()).isZero();
        fixture.close();
        blocks.close();
    }

    private final class CountedSource extends NoBlocks {
        @Override
        public FileRange locate(String application, String executor, BlockRange block)
                throws BlockUnavailableException {
            locates++;
            return locator.locate(block);
        }
    }

    /** Links of which this end is not up, or not yet. */
    private final class LateLinks implements LinkSet {
        private boolean up;
        private boolean coming = true;

        @Override
        public List<ActiveLink> up() {
            return up ? cable.server().up() : List.of();
        }

        @Override
        public boolean isAnyOnItsWay() {
            return coming;
        }
    }

    private LateLinks serveOverLateLinks() {
        LateLinks links = new LateLinks();
        server = new PullServer(fixture.services, "there", links, fixture.said::add, app -> true);
        return links;
    }

    @Test
    void aPullThatComesBeforeThisEndOfALinkIsUpWaitsForIt() throws Exception {
        LateLinks links = serveOverLateLinks();

        server.onPull(1, PullFixture.request(0));
        fixture.run();
        assertThat(fixture.said).isEmpty();

        links.up = true;
        server.onLinkUp();
        fixture.run();

        assertThat(fixture.said).singleElement().isInstanceOf(ControlMessage.Ready.class);
        server.close();
        letGo();
    }

    @Test
    void aPullWhoseLinkDoesNotComeUpIsRefusedSoon() throws Exception {
        serveOverLateLinks();

        server.onPull(1, PullFixture.request(0));
        fixture.loop.fire(0);
        fixture.run();

        assertThat(onlyAnswer().reason()).isEqualTo(FailureReason.LINK_FAILED);
        assertThat(server.pullCount()).isZero();
    }

    @Test
    void aPullWithoutALinkThatCouldComeUpIsRefusedAtOnce() throws Exception {
        serveOverLateLinks().coming = false;

        server.onPull(1, PullFixture.request(0));
        fixture.run();

        assertThat(onlyAnswer().reason()).isEqualTo(FailureReason.LINK_FAILED);
    }

    @Test
    void aPullThatIsFreedOrClosedBeforeALinkIsUpLeavesNothing() throws Exception {
        LateLinks links = serveOverLateLinks();
        server.onPull(1, PullFixture.request(0));
        server.onPull(2, PullFixture.request(1));

        server.onFree(1);
        server.close();
        links.up = true;
        server.onLinkUp();
        while (fixture.loop.timers() > 0) {
            fixture.loop.fire(0);
        }
        fixture.run();

        assertThat(fixture.said).isEmpty();
        assertThat(locates).isZero();
    }

    @Test
    void anExceptionWhileBlocksAreLookedUpIsAnswered() throws Exception {
        locator = block -> {
            throw new UncheckedIOException(new IOException("of the test"));
        };

        server.onPull(1, PullFixture.request(0));
        fixture.run();

        assertThat(onlyAnswer().reason()).isEqualTo(FailureReason.READ_ERROR);
        assertThat(onlyAnswer().detail()).contains("of the test");
        assertThat(server.pullCount()).isZero();
    }

    @Test
    void anExceptionWhileFilesAreReadIsAnsweredAndGivesTheMemoryBack() throws Exception {
        locator = block -> new FileRange(directory.resolve("blocks"), null, -1, 100);

        server.onPull(1, PullFixture.request(0));
        fixture.run();

        assertThat(onlyAnswer().reason()).isEqualTo(FailureReason.READ_ERROR);
        assertThat(server.pullCount()).isZero();
    }

    @Test
    void anErrorAtAReaderEndsTheLoop() throws Exception {
        locator = block -> {
            throw new OutOfMemoryError("of the test");
        };

        server.onPull(1, PullFixture.request(0));
        fixture.reader.remove().run();

        assertThatThrownBy(fixture.loop::runTask).isInstanceOf(OutOfMemoryError.class);
        server.close();
    }

    @Test
    void aPullThatEndedDoesNotKeepMemoryFromTheNext() throws Exception {
        Lease rest = fixture.lease(SLAB_BYTES - (48 << 10));
        locator = block -> new FileRange(directory.resolve("blocks"), null, 0, block.mapId() == 0 ? 64 << 10 : 1000);
        server.onPull(1, PullFixture.request(0));
        fixture.run();
        server.onPull(2, PullFixture.request(2));
        fixture.run();
        assertThat(fixture.said).isEmpty();

        server.onFree(1);
        fixture.run();

        assertThat(fixture.said)
                .singleElement()
                .isInstanceOfSatisfying(
                        ControlMessage.Ready.class,
                        ready -> assertThat(ready.pullId()).isEqualTo(2));
        server.close();
        cable.addSteps(step -> step.action().run());
        rest.release();
    }

    @Test
    void nothingIsLookedUpForAPullThatEndedWhileItWaitedForAReader() throws Exception {
        server.onPull(1, PullFixture.request(0, 2));
        server.onFree(1);
        fixture.run();

        assertThat(locates).isZero();
    }

    @Test
    void whatIsLeftOfAPullIsNotLookedUpOnceItEnded() throws Exception {
        locator = block -> {
            server.onFree(1);
            return new FileRange(directory.resolve("blocks"), null, 0, 1000);
        };

        server.onPull(1, PullFixture.request(0, 2));
        fixture.run();

        assertThat(locates).isEqualTo(1);
        assertThat(fixture.said).isEmpty();
    }

    private ControlMessage.NotReady onlyAnswer() {
        assertThat(fixture.said).hasSize(1);
        return (ControlMessage.NotReady) fixture.said.get(0);
    }

    private void letGo() {
        cable.letGo();
    }
}
