package io.boltshuffle.rdma.verbs;

import java.util.ArrayList;
import java.util.List;

/**
 * The native buffers of one control call.
 *
 * <p><b>Ownership:</b> the control thread owns them from before the call until the call has returned. A caller that
 * stops waiting frees nothing, because a call that hangs may still write. The results of the call are therefore read on
 * the control thread, too.
 *
 * <p><b>Threads:</b> confined to the control thread.
 */
final class CallMemory implements AutoCloseable {

    private final List<NativeBlock> blocks = new ArrayList<>(2);

    /** Allocates a zeroed buffer that lives as long as the call. */
    NativeBlock allocate(int bytes) {
        NativeBlock block = new NativeBlock(bytes);
        blocks.add(block);
        return block;
    }

    @Override
    public void close() {
        blocks.forEach(NativeBlock::close);
    }
}
