package io.boltshuffle.rdma;

import java.util.Set;

/** A protection domain: memory regions and queue pairs of the same domain may work together. */
public interface ProtectionDomain extends AutoCloseable {

    /**
     * Registers memory with the device.
     *
     * @param address page-aligned start address in this process
     * @param length bytes; the range must not cross a 4 GiB-aligned address on Apple's provider
     */
    MemoryRegion register(long address, long length, Set<AccessFlag> access) throws VerbsException;

    QueuePair createQueuePair(QueuePairRequest request) throws VerbsException;

    @Override
    void close() throws VerbsException;
}
