package io.boltshuffle.rdma;

import java.util.List;

/**
 * An open device.
 *
 * <p><b>Ownership:</b> close everything made from it first; {@link #close()} does not close it for you.
 */
public interface Device extends AutoCloseable {

    String name();

    DeviceLimits limits() throws VerbsException;

    /** @param port port number, from 1 */
    PortAttributes queryPort(int port) throws VerbsException;

    /** The port's GID table, empty (all-zero) entries left out. */
    List<GidEntry> gids(int port) throws VerbsException;

    ProtectionDomain allocateProtectionDomain() throws VerbsException;

    /** @param entries completions it must be able to hold; for a queue pair of depth {@code d}, {@code d + 1} */
    CompletionQueue createCompletionQueue(int entries) throws VerbsException;

    @Override
    void close() throws VerbsException;
}
