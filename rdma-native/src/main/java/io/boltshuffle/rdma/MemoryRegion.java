package io.boltshuffle.rdma;

/**
 * A registered range.
 *
 * <p><b>Invariant:</b> while it is open the memory must stay mapped. If {@link #close()} fails the memory must be
 * leaked on purpose: the device may still write into it.
 */
public interface MemoryRegion extends AutoCloseable {

    long address();

    long length();

    int localKey();

    int remoteKey();

    @Override
    void close() throws VerbsException;
}
