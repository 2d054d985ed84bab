package io.boltshuffle.rdma.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Records which owner has which lease, and the latest events.
 *
 * <p><b>Invariant:</b> a lease is in the ledger from its grant until its memory has returned to the pool.
 *
 * <p><b>Threads:</b> any; written under the pool's lock.
 */
public final class LeaseLedger {

    private final int historyEvents;
    private final ArrayDeque<LeaseEvent> history = new ArrayDeque<>();
    private final Map<Long, Lease> outstanding = new LinkedHashMap<>();

    LeaseLedger(int historyEvents) {
        this.historyEvents = historyEvents;
    }

    synchronized void record(long nanos, Lease lease, LeaseEvent.Kind kind, String detail) {
        switch (kind) {
            case GRANTED -> outstanding.put(lease.id(), lease);
            case RETURNED -> outstanding.remove(lease.id());
            default -> {}
        }
        if (history.size() == historyEvents) {
            history.removeFirst();
        }
        history.addLast(new LeaseEvent(
                nanos, lease.id(), kind, lease.owner(), Thread.currentThread().getName(), detail));
    }

    /** Returns the outstanding leases, oldest first: held, draining and quarantined. */
    public synchronized List<LeaseStatus> outstanding() {
        List<LeaseStatus> statuses = new ArrayList<>(outstanding.size());
        for (Lease lease : outstanding.values()) {
            statuses.add(lease.status());
        }
        return statuses;
    }

    /** Returns the remembered events of one lease, oldest first. */
    public synchronized List<LeaseEvent> historyOf(long leaseId) {
        return history.stream().filter(event -> event.leaseId() == leaseId).toList();
    }

    /**
     * Checks that no lease is outstanding.
     *
     * @throws LeaseLeakException if any is, quarantined ones included
     */
    public void assertEmpty() {
        List<LeaseStatus> left = outstanding();
        if (!left.isEmpty()) {
            throw new LeaseLeakException(left);
        }
    }
}
