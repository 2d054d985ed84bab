package io.boltshuffle.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.files.NoBlocks;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pull that waits for memory gets it once, and leaves none behind. */
class StagingMemoryTest {

    private static final long SLAB_BYTES = 1 << 20;

    private final Path directory;
    private final List<StagingArea> areas = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();
    private final StagingMemory.Waiter waiter = new StagingMemory.Waiter() {
        @Override
        public void onMemory(StagingArea area) {
            areas.add(area);
        }

        @Override
        public void onNoMemory(String detail) {
            refusals.add(detail);
        }
    };

    private PullFixture fixture;
    private StagingBudget budget;
    private StagingMemory memory;

    StagingMemoryTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeEach
    void open() throws Exception {
        fixture = new PullFixture(directory, SLAB_BYTES, new NoBlocks());
        budget = fixture.services.budget();
        memory = fixture.services.stagingMemory();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        areas.forEach(StagingArea::close);
        assertThat(budget.usedBytes()).isZero();
        assertThat(fixture.pool.snapshot().usedBytes()).isZero();
        assertThat(fixture.loop.timers()).isZero();
        fixture.close();
    }

    @Test
    void memoryThatIsThereIsToldOfOnlyWhenTheQuestionIsAsked() {
        memory.await(wanted(SLAB_BYTES), false, waiter);
        assertThat(areas).isEmpty();

        fixture.run();

        assertThat(areas).hasSize(1).first().extracting(StagingArea::bytes).isEqualTo(SLAB_BYTES);
        assertThat(budget.usedBytes()).isEqualTo(SLAB_BYTES);
    }

    @Test
    void aShareThatWasTakenBeforeGoesWithTheMemory() {
        StagingBudget.Share share = budget.tryTake(SLAB_BYTES, false).orElseThrow();

        memory.await(wanted(SLAB_BYTES), share, waiter);
        fixture.run();

        assertThat(areas).hasSize(1);
        assertThat(budget.usedBytes()).isEqualTo(SLAB_BYTES);
    }

    @Test
    void whoWaitsForAShareGetsMemoryWhenTheShareIsThere() {
        StagingBudget.Share others = budget.tryTake(SLAB_BYTES, false).orElseThrow();
        memory.await(wanted(SLAB_BYTES), false, waiter);
        fixture.run();
        assertThat(areas).isEmpty();

        others.end();
        fixture.run();

        assertThat(areas).hasSize(1);
    }

    @Test
    void whoWaitsForALeaseGetsItWhenItIsBack() {
        Lease others = fixture.lease(SLAB_BYTES);
        memory.await(wanted(SLAB_BYTES), false, waiter);
        fixture.run();
        assertThat(areas).isEmpty();

        others.release();
        fixture.run();

        assertThat(areas).hasSize(1);
    }

    @Test
    void whereNoneComesInTimeThatIsSaidAndTheShareIsFree() {
        Lease others = fixture.lease(SLAB_BYTES);
        memory.await(wanted(SLAB_BYTES), false, waiter);

        fixture.loop.fire(0);
        fixture.run();

        assertThat(refusals).hasSize(1);
        assertThat(areas).isEmpty();
        assertThat(budget.usedBytes()).isZero();
        others.release();
    }

    @Test
    void whoCallsOffWhileWaitingForAShareIsNotHeardOfAgain() {
        StagingBudget.Share others = budget.tryTake(SLAB_BYTES, false).orElseThrow();
        StagingMemory.Wait wait = memory.await(wanted(SLAB_BYTES), false, waiter);

        wait.callOff();
        others.end();
        fixture.run();

        assertThat(areas).isEmpty();
        assertThat(refusals).isEmpty();
    }

    @Test
    void whoCallsOffWhileWaitingForALeaseIsNotHeardOfAgain() {
        Lease others = fixture.lease(SLAB_BYTES);
        StagingMemory.Wait wait = memory.await(wanted(SLAB_BYTES), false, waiter);
        fixture.run();

        wait.callOff();
        others.release();
        fixture.run();

        assertThat(areas).isEmpty();
        assertThat(refusals).isEmpty();
    }

    @Test
    void memoryThatIsGrantedAlreadyWhenItIsCalledOffGoesBack() {
        StagingMemory.Wait wait = memory.await(wanted(SLAB_BYTES), false, waiter);
        assertThat(fixture.pool.snapshot().usedBytes()).as("granted").isEqualTo(SLAB_BYTES);

        wait.callOff();
        fixture.run();

        assertThat(areas).isEmpty();
        assertThat(refusals).isEmpty();
    }

    @Test
    void callingOffAfterTheAnswerTakesNothingAway() {
        StagingMemory.Wait wait = memory.await(wanted(SLAB_BYTES), false, waiter);
        fixture.run();

        wait.callOff();

        assertThat(areas).hasSize(1);
        assertThat(budget.usedBytes()).isEqualTo(SLAB_BYTES);
    }

    private static StagingMemory.Wanted wanted(long bytes) {
        return new StagingMemory.Wanted(
                new LeaseOwner("the test"), bytes, Duration.ofMinutes(1).toNanos());
    }
}
