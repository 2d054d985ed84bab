package io.boltshuffle.rdma.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Holds requests in the order in which they came.
 *
 * <p><b>Invariant:</b> a later request never passes one that its owner's limit admits, so small requests do not starve
 * a large one. A request that waits for its own owner's limit holds up only later requests of that owner.
 *
 * <p><b>Threads:</b> confined to the pool's lock.
 */
final class WaitQueue {

    private final ArrayDeque<LeaseWaiter> waiters = new ArrayDeque<>();

    void add(LeaseWaiter waiter) {
        waiters.addLast(waiter);
    }

    /**
     * Removes a request.
     *
     * @return false if it is not waiting (any more)
     */
    boolean remove(LeaseWaiter waiter) {
        return waiters.remove(waiter);
    }

    /**
     * Grants what can be granted now, in order.
     *
     * @param admits whether the owner's limit allows it
     * @param grant takes the memory; returns false if there is no room now
     */
    void serve(Predicate<LeaseWaiter> admits, Predicate<LeaseWaiter> grant) {
        Set<LeaseOwner> atTheirLimit = new HashSet<>();
        for (Iterator<LeaseWaiter> next = waiters.iterator(); next.hasNext(); ) {
            LeaseWaiter waiter = next.next();
            if (atTheirLimit.contains(waiter.owner())) {
                continue;
            }
            if (!admits.test(waiter)) {
                atTheirLimit.add(waiter.owner());
            } else if (grant.test(waiter)) {
                next.remove();
            } else {
                return;
            }
        }
    }

    List<LeaseWaiter> removeAll() {
        List<LeaseWaiter> all = new ArrayList<>(waiters);
        waiters.clear();
        return all;
    }

    int size() {
        return waiters.size();
    }

    long bytes() {
        return waiters.stream().mapToLong(LeaseWaiter::bytes).sum();
    }
}
