package io.boltshuffle.rdma.verbs;

import java.util.ArrayList;
import java.util.List;

/**
 * The native buffers of one control call.
 *
 * <p><b>Ownership:</b> of the control thread, from before the call until it has returned. A caller that stops waiting
 * takes nothing with it: a call that hangs may still write. What the call brought is therefore read on the control
 * thread, too.
 *
 * <p><b>Threads:</b> confined to the control thread.
 */
final class CallMemory implements AutoCloseable {

    private final List<NativeBlock> blocks = new ArrayList<>(2);

    /** A zeroed buffer that lives as long as the call. */
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
