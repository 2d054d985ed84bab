package io.boltshuffle.rdma;

import java.util.List;

/**
 * An open device.
 *
 * <p><b>Ownership:</b> the caller closes everything made from the device first; {@link #close()} does not close it.
 */
public interface Device extends AutoCloseable {

    String name();

    DeviceLimits limits() throws VerbsException;

    /** @param port port number, from 1 */
    PortAttributes queryPort(int port) throws VerbsException;

    /** Returns the port's GID table without its empty (all-zero) entries. */
    List<GidEntry> gids(int port) throws VerbsException;

    ProtectionDomain allocateProtectionDomain() throws VerbsException;

    /**
     * @param entries how many completions it must be able to hold; for a queue pair of depth {@code d}, {@code d + 1}
     */
    CompletionQueue createCompletionQueue(int entries) throws VerbsException;

    @Override
    void close() throws VerbsException;
}
