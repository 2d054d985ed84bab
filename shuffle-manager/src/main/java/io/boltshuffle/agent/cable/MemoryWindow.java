package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import java.io.IOException;

/** Lets the peer at the other end of one link read leases by RDMA READ, one by one, and nothing beside them. */
public interface MemoryWindow {

    /** A lease that the peer may read. */
    interface Opening {

        /** The lease, to be offered. */
        RegisteredRange range();

        /**
         * Takes the peer's right to read away, soon and on another thread. The memory is held until then. Closing twice
         * is harmless.
         */
        void close();
    }

    /**
     * Overwrites a lease with zeros, and lets the peer read it. A control call of the device, for a reader thread.
     *
     * @throws IOException if the device refuses or the link has ended
     */
    Opening open(Lease lease) throws IOException;
}
