package io.boltshuffle.agent.files;

import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Registration;

/** Takes every executor and finds none of its blocks; a test may find some in its place. */
public class NoBlocks implements BlockLocator {

    @Override
    public final void register(Registration registration) {
        // Nothing is read here.
    }

    @Override
    public final void forget(String application) {
        // Nothing was kept.
    }

    @Override
    public FileRange locate(String application, String executor, BlockRange block) throws BlockUnavailableException {
        throw new BlockUnavailableException(FailureReason.UNKNOWN_BLOCK, "there are none");
    }
}
