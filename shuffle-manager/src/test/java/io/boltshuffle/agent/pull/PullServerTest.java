package io.boltshuffle.agent.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.agent.output.Output;
import io.boltshuffle.agent.output.Outputs;
import io.boltshuffle.agent.stage.BlockUnavailableException;
import io.boltshuffle.agent.stage.FileRange;
import io.boltshuffle.agent.stage.NoBlocks;
import io.boltshuffle.agent.stage.ShuffledBlocks;
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
    private PullGround ground;
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
        this.locator = block -> blocks.locate(PullGround.APPLICATION, PullGround.EXECUTOR, block);
    }

    @BeforeEach
    void serve() throws Exception {
        ground = new PullGround(directory, SLAB_BYTES, new CountedSource());
        cable = new SimPullCable(new SimLoop(), ground.loop);
        server = new PullServer(ground.services, "there", cable.server(), ground.said::add, app -> true);
    }

    /** The pool refuses to close while anything is out. */
    @AfterEach
    void allMemoryIsBack() throws Exception {
        assertThat(ground.services.served().budget().usedBytes()).isZero();
        ground.close();
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

    @Test
    void anExceptionWhileBlocksAreLookedUpIsAnswered() throws Exception {
        locator = block -> {
            throw new UncheckedIOException(new IOException("of the test"));
        };

        server.onPull(1, PullGround.request(0));
        ground.run();

        assertThat(onlyAnswer().reason()).isEqualTo(FailureReason.READ_ERROR);
        assertThat(onlyAnswer().detail()).contains("of the test");
        assertThat(server.pullCount()).isZero();
    }

    @Test
    void anExceptionWhileFilesAreReadIsAnsweredAndGivesTheMemoryBack() throws Exception {
        locator = block -> new FileRange(directory.resolve("blocks"), null, -1, 100);

        server.onPull(1, PullGround.request(0));
        ground.run();

        assertThat(onlyAnswer().reason()).isEqualTo(FailureReason.READ_ERROR);
        assertThat(server.pullCount()).isZero();
    }

    @Test
    void anErrorAtAReaderEndsTheLoop() throws Exception {
        locator = block -> {
            throw new OutOfMemoryError("of the test");
        };

        server.onPull(1, PullGround.request(0));
        ground.reader.remove().run();

        assertThatThrownBy(ground.loop::runTask).isInstanceOf(OutOfMemoryError.class);
        server.close();
    }

    @Test
    void aPullThatEndedDoesNotKeepMemoryFromTheNext() throws Exception {
        Lease rest = ground.lease(SLAB_BYTES - (48 << 10));
        locator = block -> new FileRange(directory.resolve("blocks"), null, 0, block.mapId() == 0 ? 64 << 10 : 1000);
        server.onPull(1, PullGround.request(0));
        ground.run();
        server.onPull(2, PullGround.request(2));
        ground.run();
        assertThat(ground.said).isEmpty();

        server.onFree(1);
        ground.run();

        assertThat(ground.said)
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
        server.onPull(1, PullGround.request(0, 2));
        server.onFree(1);
        ground.run();

        assertThat(locates).isZero();
    }

    @Test
    void whatIsLeftOfAPullIsNotLookedUpOnceItEnded() throws Exception {
        locator = block -> {
            server.onFree(1);
            return new FileRange(directory.resolve("blocks"), null, 0, 1000);
        };

        server.onPull(1, PullGround.request(0, 2));
        ground.run();

        assertThat(locates).isEqualTo(1);
        assertThat(ground.said).isEmpty();
    }

    private ControlMessage.NotReady onlyAnswer() {
        assertThat(ground.said).hasSize(1);
        return (ControlMessage.NotReady) ground.said.get(0);
    }

    /** The output is there as the block is looked up, and makes room for the very pull that wants it. */
    @Test
    void aBlockWhoseOutputMadeRoomBeforeItWasReadComesFromItsFile() throws Exception {
        Outputs outputs = ground.services.served().outputs();
        Output output = outputs.lend(PullGround.APPLICATION, PullGround.EXECUTOR, 0, ShuffledBlocks.BLOCK_BYTES)
                .orElseThrow();
        assertThat(outputs.publish(output, 0, List.of((long) ShuffledBlocks.BLOCK_BYTES)))
                .isTrue();
        Lease rest = ground.lease(SLAB_BYTES - (long) Lease.framesOf(output.bytes()) * Lease.FRAME_BYTES);

        server.onPull(1, PullGround.request(0));
        ground.run();

        assertThat(locates).as("look-ups of the file").isEqualTo(1);
        assertThat(outputs.status().evicted()).isEqualTo(1);
        assertThat(ground.said).singleElement().isInstanceOfSatisfying(ControlMessage.Ready.class, ready -> {
            assertThat(ready.failures()).isEmpty();
            assertThat(ready.slices())
                    .singleElement()
                    .satisfies(slice -> assertThat(slice.bytes()).isEqualTo(ShuffledBlocks.BLOCK_BYTES));
        });
        assertThat(ground.services.counters().values().servedFromMemoryBytes()).isZero();
        server.close();
        cable.addSteps(step -> step.action().run());
        rest.release();
    }
}
