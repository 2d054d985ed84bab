package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Does what a pool should do in the slow and obvious way: it looks everything up afresh in lists. It decides which
 * request is granted next. It takes the place from the pool, and only checks that the place is legal and free.
 */
final class PoolModel {

    /** A request in the model. */
    record Request(LeaseOwner owner, long bytes, long deadlineNanos, CompletableFuture<Lease> answer) {
        int frames() {
            return Lease.framesOf(bytes);
        }
    }

    /** A lease in the model. */
    static final class Loan {
        final Lease lease;
        final LeaseOwner owner;
        int posted;
        boolean givenUp;
        int quarantines;

        private Loan(Lease lease, LeaseOwner owner) {
            this.lease = lease;
            this.owner = owner;
        }

        private boolean isOver() {
            return givenUp && posted == 0 && quarantines == 0;
        }

        LeaseState state() {
            if (quarantines > 0) {
                return LeaseState.QUARANTINED;
            }
            if (!givenUp) {
                return LeaseState.HELD;
            }
            return posted > 0 ? LeaseState.DRAINING : LeaseState.RETURNED;
        }
    }

    private final long ownerFrames;
    private final FrameMap map;
    final List<Request> waiting = new ArrayList<>();
    final List<Loan> loans = new ArrayList<>();

    PoolModel(int totalFrames, int pieceFrames, long ownerFrames) {
        this.ownerFrames = ownerFrames;
        this.map = new FrameMap(totalFrames, pieceFrames);
    }

    /** Ends what is over, and checks that the pool granted just what can be granted, in order. */
    void settle(long nowNanos) {
        loans.removeIf(loan -> {
            assertThat(loan.lease.state()).isEqualTo(loan.state());
            if (loan.isOver()) {
                map.clear(loan.lease.firstFrame(), loan.lease.frames());
            }
            return loan.isOver();
        });
        waiting.removeIf(request -> request.answer().isCompletedExceptionally());
        serve();
        for (Request request : waiting) {
            assertThat(request.answer())
                    .as("passed those before it: %s", request)
                    .isNotDone();
            assertThat(request.deadlineNanos())
                    .as("should have ended: %s", request)
                    .isGreaterThan(nowNanos);
        }
    }

    /** Returns whether a request that may not wait is granted now. */
    boolean wouldGrant(LeaseOwner owner, long bytes) {
        Request request = new Request(owner, bytes, 0, new CompletableFuture<>());
        Set<LeaseOwner> atTheirLimit = new HashSet<>();
        for (Request before : waiting) {
            if (!atTheirLimit.contains(before.owner()) && admits(before)) {
                return false;
            }
            atTheirLimit.add(before.owner());
        }
        return !atTheirLimit.contains(owner) && admits(request) && map.hasPlace(request.frames());
    }

    private void serve() {
        Set<LeaseOwner> atTheirLimit = new HashSet<>();
        for (Request request : List.copyOf(waiting)) {
            if (atTheirLimit.contains(request.owner())) {
                continue;
            }
            if (!admits(request)) {
                atTheirLimit.add(request.owner());
                continue;
            }
            if (!map.hasPlace(request.frames())) {
                return;
            }
            assertThat(request.answer()).as("could be granted: %s", request).isCompleted();
            waiting.remove(request);
            take(request.answer().join(), request.owner());
        }
    }

    private boolean admits(Request request) {
        long has = 0;
        boolean oversizeOut = false;
        for (Loan loan : loans) {
            if (loan.quarantines == 0) {
                has += loan.owner.equals(request.owner()) ? loan.lease.frames() : 0;
                oversizeOut |= loan.lease.frames() > ownerFrames;
            }
        }
        return request.frames() <= ownerFrames ? has + request.frames() <= ownerFrames : has == 0 && !oversizeOut;
    }

    private void take(Lease lease, LeaseOwner owner) {
        map.occupy(lease.firstFrame(), lease.frames());
        loans.add(new Loan(lease, owner));
    }

    void assertSnapshot(PoolSnapshot snapshot) {
        assertThat(snapshot.totalBytes() - snapshot.usedBytes()).isEqualTo((long) map.freeFrames() * Lease.FRAME_BYTES);
        assertThat(snapshot.largestFreeBytes()).isEqualTo((long) map.longestFree() * Lease.FRAME_BYTES);
        assertThat(snapshot.waiting()).isEqualTo(waiting.size());
        assertThat(snapshot.draining()).isEqualTo(use(LeaseState.DRAINING));
        assertThat(snapshot.quarantined()).isEqualTo(use(LeaseState.QUARANTINED));
        Map<LeaseOwner, PoolSnapshot.Use> owners = new HashMap<>();
        for (Loan loan : loans) {
            if (loan.quarantines == 0) {
                PoolSnapshot.Use more = new PoolSnapshot.Use(1, (long) loan.lease.frames() * Lease.FRAME_BYTES);
                owners.merge(
                        loan.owner,
                        more,
                        (a, b) -> new PoolSnapshot.Use(a.leases() + b.leases(), a.bytes() + b.bytes()));
            }
        }
        assertThat(snapshot.owners()).isEqualTo(owners);
    }

    private PoolSnapshot.Use use(LeaseState state) {
        List<Loan> ofState =
                loans.stream().filter(loan -> loan.state() == state).toList();
        long frames = ofState.stream().mapToLong(loan -> loan.lease.frames()).sum();
        return new PoolSnapshot.Use(ofState.size(), frames * Lease.FRAME_BYTES);
    }
}
