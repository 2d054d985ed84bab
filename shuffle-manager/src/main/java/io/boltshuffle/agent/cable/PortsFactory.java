package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.Slab;

/** Makes the ports of a host, once its slab is there. */
public interface PortsFactory {
    /** @throws NoDevicesException if there is nothing to make ports of, so that no memory is taken for nothing */
    void check() throws NoDevicesException;

    Ports create(Slab slab, LeasePool pool);
}
