package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.boltshuffle.rdma.memory.PoolModel.Loan;
import io.boltshuffle.rdma.memory.PoolModel.Request;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;

/** Random operations on a pool, each checked against {@link PoolModel}. */
class LeasePoolModelTest {

    private static final int FRAMES = 48;
    private static final int PIECE_FRAMES = 16;
    private static final int OWNER_FRAMES = 14;
    private static final int STEPS = 2_000;
    private static final List<LeaseOwner> OWNERS =
            List.of(new LeaseOwner("a"), new LeaseOwner("b"), new LeaseOwner("c"), new LeaseOwner("d"));

    private final Slab slab = TestSlabs.create((long) FRAMES * Lease.FRAME_BYTES);
    private final VirtualClock clock = new VirtualClock();
    private final PoolModel model = new PoolModel(FRAMES, PIECE_FRAMES, OWNER_FRAMES);
    private final LeasePool pool = new LeasePool(
            slab,
            PIECE_FRAMES * Lease.FRAME_BYTES,
            new PoolLimits(OWNER_FRAMES * Lease.FRAME_BYTES, 1_000, 100),
            clock,
            Runnable::run);

    @AfterEach
    void closeAll() throws SlabException {
        try {
            pool.close();
        } finally {
            slab.close();
        }
    }

    @RepeatedTest(20)
    void thePoolDoesWhatTheModelSays() {
        long seed = Seeds.choose();
        Seeds.reported(seed, LeasePoolModelTest.class, () -> run(new Random(seed)));
    }

    private void run(Random random) {
        for (int step = 0; step < STEPS; step++) {
            if (model.loans.isEmpty() || random.nextInt(3) == 0) {
                request(random, step);
            } else if (random.nextInt(12) == 0) {
                passTimeOrCancel(random);
            } else {
                use(model.loans.get(random.nextInt(model.loans.size())), random);
            }
            model.settle(clock.nanoTime());
            model.assertSnapshot(pool.snapshot());
        }
        comeHome();
    }

    private void request(Random random, int step) {
        LeaseOwner owner = OWNERS.get(random.nextInt(OWNERS.size()));
        int maxFrames = random.nextInt(10) == 0 ? FRAMES : PIECE_FRAMES;
        int bytes = 1 + random.nextInt(maxFrames * Lease.FRAME_BYTES);
        if (model.waiting.size() > 5) {
            boolean granted = pool.tryAcquire(owner, bytes).map(this::giveBack).orElse(false);
            assertThat(granted).isEqualTo(model.wouldGrant(owner, bytes));
        } else {
            long deadline = (clock.nanoTime() / STEPS + 1 + random.nextInt(20)) * STEPS + step;
            model.waiting.add(new Request(owner, bytes, deadline, pool.acquireAsync(owner, bytes, deadline)));
        }
    }

    private boolean giveBack(Lease lease) {
        lease.release();
        return true;
    }

    private void passTimeOrCancel(Random random) {
        if (model.waiting.isEmpty() || random.nextBoolean()) {
            // To one deadline at a time: between two, the pool serves requests that wait, as the model must, too.
            clock.advanceTo(model.waiting.stream()
                    .mapToLong(Request::deadlineNanos)
                    .min()
                    .orElse(clock.nanoTime() + 1));
        } else {
            model.waiting.get(random.nextInt(model.waiting.size())).answer().cancel(false);
        }
    }

    private static void use(Loan loan, Random random) {
        switch (random.nextInt(11)) {
            case 0, 1 -> post(loan, 1 + random.nextInt(3));
            case 2, 3, 4 -> complete(loan, 1 + random.nextInt(3));
            case 5 -> quarantineOrEnd(loan, random);
            default -> release(loan);
        }
    }

    private static void post(Loan loan, int workRequests) {
        if (loan.state() == LeaseState.HELD) {
            loan.lease.posted(workRequests);
            loan.posted += workRequests;
        } else {
            assertThatIllegalStateException().isThrownBy(() -> loan.lease.posted(workRequests));
        }
    }

    private static void complete(Loan loan, int workRequests) {
        if (workRequests <= loan.posted) {
            loan.posted -= workRequests;
            loan.lease.completed(workRequests);
        } else {
            assertThatIllegalStateException().isThrownBy(() -> loan.lease.completed(workRequests));
        }
    }

    private static void release(Loan loan) {
        if (!loan.givenUp) {
            loan.givenUp = true;
            loan.lease.release();
        } else {
            assertThatIllegalStateException().isThrownBy(loan.lease::release);
        }
    }

    private static void quarantineOrEnd(Loan loan, Random random) {
        if (loan.quarantines == 0 ? random.nextInt(3) == 0 : random.nextInt(4) == 0) {
            loan.quarantines++;
            loan.lease.quarantine("a test");
        } else if (loan.quarantines > 0) {
            int workRequests = random.nextInt(loan.posted + 1);
            loan.posted -= workRequests;
            loan.quarantines--;
            loan.lease.releaseAfterQueuePairDestroyed(workRequests);
        }
    }

    private void comeHome() {
        // The last first, or cancelling one would grant another.
        for (int i = model.waiting.size() - 1; i >= 0; i--) {
            model.waiting.get(i).answer().cancel(false);
        }
        for (Loan loan : List.copyOf(model.loans)) {
            for (; loan.quarantines > 0; loan.quarantines--) {
                loan.lease.releaseAfterQueuePairDestroyed(0);
            }
            if (loan.state() == LeaseState.HELD) {
                loan.lease.release();
            }
            if (loan.posted > 0) {
                loan.lease.completed(loan.posted);
            }
        }
        pool.ledger().assertEmpty();
        assertThat(pool.snapshot().largestFreeBytes()).isEqualTo(slab.bytes());
        assertThat(clock.scheduled()).isZero();
    }
}
