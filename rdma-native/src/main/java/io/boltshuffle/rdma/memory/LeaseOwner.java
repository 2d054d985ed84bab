package io.boltshuffle.rdma.memory;

/**
 * The party for which memory is leased: a task, an executor, a peer. All its leases together stay under the pool's
 * limit per owner.
 *
 * @param name what logs and status show
 */
public record LeaseOwner(String name) {

    @Override
    public String toString() {
        return name;
    }
}
