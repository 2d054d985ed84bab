package io.boltshuffle.rdma.memory;

import java.util.concurrent.CompletableFuture;

/** A request for a lease, and the future that answers it. */
final class LeaseWaiter {

    private final LeaseOwner owner;
    private final long bytes;
    private final CompletableFuture<Lease> answer = new CompletableFuture<>();

    LeaseWaiter(LeaseOwner owner, long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("a lease has at least one byte, not " + bytes);
        }
        this.owner = owner;
        this.bytes = bytes;
    }

    LeaseOwner owner() {
        return owner;
    }

    long bytes() {
        return bytes;
    }

    int frames() {
        return Lease.framesOf(bytes);
    }

    CompletableFuture<Lease> answer() {
        return answer;
    }
}
