package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.memory.Lease;
import java.io.IOException;
import java.util.Optional;

/** Lets the peer at the other end of one link read leases by RDMA READ, one by one, and nothing beside them. */
public interface MemoryWindow {

    /** A lease that the peer may read. */
    interface Opening {

        /** Returns the lease, to be offered. */
        RegisteredRange range();

        /**
         * Takes the peer's right to read away, on another thread, soon after no link holds the range any more. The
         * memory is held until then. Closing twice is harmless.
         */
        void close();
    }

    /**
     * Overwrites a lease with zeros, and lets the peer read it. A control call of the device, for a reader thread.
     *
     * @throws IOException if the device refuses or the link has ended
     */
    Opening open(Lease lease) throws IOException;

    /** Returns the window of all links of the same port. */
    OfPort ofPort();

    /**
     * Lets all peers of one port read memory by RDMA READ that each of them may see: what is opened is registered once,
     * not for each of them. A peer reads what it was told the key of.
     */
    interface OfPort {

        /** Returns the port's name. A port that was closed and opened again has another window of the same name. */
        String port();

        /**
         * Lets peers read the beginning of a lease as it is. A control call of the device, for a reader thread.
         *
         * @param bytes which they may read, to the end of the last one's frame
         * @return empty if the device refuses, or has no room for more, or was closed
         */
        Optional<Opening> open(Lease lease, long bytes);
    }
}
