package io.boltshuffle.rdma.memory;

/**
 * On whose behalf memory is leased: a task, an executor, a peer. Its leases together stay under the pool's limit per
 * owner.
 *
 * @param name what logs and status show
 */
public record LeaseOwner(String name) {

    @Override
    public String toString() {
        return name;
    }
}
