package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.Slab;
import java.io.IOException;

/** Makes the ports of a host, once its slab is there. */
public interface PortsFactory {

    /**
     * How much of the slab devices register.
     *
     * <p>macOS limits what may be registered, and each connection lowers that limit until the Mac is restarted. So a
     * device may connect early on, and later only with less.
     *
     * <p><b>Threads:</b> any.
     */
    interface RegisteredMemory {

        /**
         * Returns how many bytes, from the slab's beginning, a device is to register.
         *
         * @throws IOException as long as memory that was given up is in use
         */
        long bytes() throws IOException;

        /**
         * A device did not connect with so much registered.
         *
         * @return whether less is to be registered from now on, so that it may connect then
         */
        boolean giveUp(long registeredBytes);
    }

    /** @throws NoDevicesException if there is nothing to make ports of, so that no memory is taken for nothing */
    void check() throws NoDevicesException;

    /** @param memory how much of the slab devices register */
    Ports create(Slab slab, LeasePool pool, RegisteredMemory memory);
}
