package io.boltshuffle.rdma.memory;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts how many frames each owner has, and decides whether it may have more.
 *
 * <p><b>Invariant:</b> no owner has more than the limit, except for one request in the whole pool that alone is larger.
 * The limit does not apply to a hand-over, which moves memory that is already granted.
 *
 * <p><b>Threads:</b> confined to the pool's lock.
 */
final class OwnerAccounts {

    private final long limitFrames;
    private final Map<LeaseOwner, Account> accounts = new HashMap<>();
    private int oversizeLeases;

    OwnerAccounts(long limitFrames) {
        this.limitFrames = limitFrames;
    }

    private static final class Account {
        private int leases;
        private long frames;
    }

    boolean admits(LeaseOwner owner, int frames) {
        Account account = accounts.get(owner);
        if (frames > limitFrames) {
            return account == null && oversizeLeases == 0;
        }
        return account == null || account.frames + frames <= limitFrames;
    }

    void charge(LeaseOwner owner, int frames) {
        Account account = accounts.computeIfAbsent(owner, unused -> new Account());
        account.leases++;
        account.frames += frames;
        if (frames > limitFrames) {
            oversizeLeases++;
        }
    }

    void discharge(LeaseOwner owner, int frames) {
        Account account = accounts.get(owner);
        if (account == null || account.frames < frames) {
            throw new IllegalStateException(owner + " has no " + frames + " frames to give back");
        }
        account.leases--;
        account.frames -= frames;
        if (account.leases == 0) {
            accounts.remove(owner);
        }
        if (frames > limitFrames) {
            oversizeLeases--;
        }
    }

    Map<LeaseOwner, PoolSnapshot.Use> snapshot() {
        Map<LeaseOwner, PoolSnapshot.Use> uses = new HashMap<>();
        accounts.forEach((owner, account) ->
                uses.put(owner, new PoolSnapshot.Use(account.leases, account.frames * Lease.FRAME_BYTES)));
        return uses;
    }
}
