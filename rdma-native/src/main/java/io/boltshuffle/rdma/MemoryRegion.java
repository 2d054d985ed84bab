package io.boltshuffle.rdma;

/**
 * A registered range of memory.
 *
 * <p><b>Invariant:</b> while the region is open the memory must stay mapped. If {@link #close()} fails, the owner must
 * leak the memory on purpose, because the device may still write into it.
 */
public interface MemoryRegion extends AutoCloseable {

    int localKey();

    int remoteKey();

    @Override
    void close() throws VerbsException;
}
