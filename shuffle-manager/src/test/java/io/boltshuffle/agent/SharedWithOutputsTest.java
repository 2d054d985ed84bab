package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.agent.output.Outputs;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.PoolLimits;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.testing.SimLoop;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is registered of a slab after a device did not connect with all of it. */
class SharedWithOutputsTest {

    private static final long MIB = 1 << 20;
    private static final long FETCH_BYTES = 8 * MIB;
    private static final long OUTPUT_BYTES = 64 * MIB;
    private static final long SLAB_BYTES = FETCH_BYTES + OUTPUT_BYTES;
    private static final LeaseOwner TASK = new LeaseOwner("a task");

    private final Slab slab;
    private final LeasePool pool;
    private final Outputs outputs;
    private final SharedWithOutputs memory;

    SharedWithOutputsTest(@TempDir Path directory) throws Exception {
        SimLoop loop = new SimLoop();
        slab = Slab.create(SlabLocation.file(directory.resolve("slab")), SLAB_BYTES);
        pool = new LeasePool(slab, 8 * MIB, new PoolLimits(SLAB_BYTES, 16, 16), new LoopClock(loop), loop);
        outputs = new Outputs(pool, OUTPUT_BYTES);
        memory = new SharedWithOutputs(pool, outputs);
    }

    @AfterEach
    void close() throws Exception {
        pool.close();
        slab.close();
    }

    @Test
    void outputsGiveUpUntilOnlyTheMemoryForFetchesIsLeft() throws Exception {
        assertThat(memory.bytes()).isEqualTo(SLAB_BYTES);

        assertThat(memory.giveUp(SLAB_BYTES)).isTrue();
        assertThat(memory.bytes()).isEqualTo(FETCH_BYTES + 32 * MIB);
        assertThat(memory.giveUp(FETCH_BYTES + 32 * MIB)).isTrue();
        assertThat(memory.bytes()).isEqualTo(FETCH_BYTES + 16 * MIB);
        assertThat(memory.giveUp(FETCH_BYTES + 16 * MIB)).isTrue();
        assertThat(memory.bytes()).isEqualTo(FETCH_BYTES);
        assertThat(memory.giveUp(FETCH_BYTES)).as("fetches give nothing up").isFalse();
        assertThat(outputs.limitBytes()).isZero();
    }

    /** Several ports may be refused before one of them registers less. */
    @Test
    void whatWasRefusedWithMoreIsNoReasonToGiveUpMore() throws Exception {
        assertThat(memory.giveUp(SLAB_BYTES)).isTrue();

        assertThat(memory.giveUp(SLAB_BYTES)).isTrue();

        assertThat(memory.bytes()).isEqualTo(FETCH_BYTES + 32 * MIB);
    }

    @Test
    void nothingIsRegisteredUntilWhatWasGivenUpIsInUseNoMore() throws Exception {
        Lease most = pool.tryAcquire(TASK, 40 * MIB).orElseThrow();
        Lease read = pool.tryAcquire(TASK, 24 * MIB).orElseThrow();

        assertThat(memory.giveUp(SLAB_BYTES)).isTrue();

        assertThatThrownBy(memory::bytes).isInstanceOf(IOException.class).hasMessageContaining("in use still");
        read.release();
        assertThat(memory.bytes()).isEqualTo(FETCH_BYTES + 32 * MIB);
        most.release();
    }
}
