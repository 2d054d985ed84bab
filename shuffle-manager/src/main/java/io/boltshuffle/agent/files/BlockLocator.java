package io.boltshuffle.agent.files;

import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.Registration;

/**
 * Knows where the blocks of registered executors lie.
 *
 * <p><b>Threads:</b> {@link #locate} is called from reader threads and may touch the disk; the others from the agent's
 * loop, where they must not.
 */
public interface BlockLocator {

    void register(Registration registration);

    void forget(String application);

    /** @throws BlockUnavailableException if there is no such block, or its index cannot be read */
    FileRange locate(String application, String executor, BlockRange block) throws BlockUnavailableException;
}
