package io.boltshuffle.agent.output;

import io.boltshuffle.rdma.link.MemoryWindow;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ports whose peers may read one output where it lies.
 *
 * <p><b>Invariant:</b> what was between its partitions, and behind them, is overwritten before any peer may read. All
 * ports are closed before the memory goes back to the pool, which gets it when the devices have let go of it.
 *
 * <p><b>Threads:</b> any. Opening takes long; the output is held meanwhile, so that {@link #close} never waits for it.
 */
final class OpenPorts {

    private static final byte[] ZEROS = new byte[Lease.FRAME_BYTES];

    /** @param opening null if the port refused: it is not asked again for this output */
    private record Answer(MemoryWindow.OfPort window, MemoryWindow.@Nullable Opening opening) {}

    private final Map<String, Answer> byPort = new HashMap<>();
    private boolean areGapsClear;

    /**
     * Lets the peers of a port read an output, if they may not yet.
     *
     * @return the output's memory as they read it; empty if the port refuses
     */
    synchronized Optional<RegisteredRange> open(Output output, MemoryWindow.OfPort window) {
        Answer known = byPort.get(window.port());
        if (known == null || known.window() != window) {
            if (known != null) {
                close(known);
            }
            if (!areGapsClear) {
                clearGaps(output);
                areGapsClear = true;
            }
            known = new Answer(
                    window, window.open(output.lease(), output.laidBytes()).orElse(null));
            byPort.put(window.port(), known);
        }
        return Optional.ofNullable(known.opening()).map(MemoryWindow.Opening::range);
    }

    /** What was there belonged to others. */
    private static void clearGaps(Output output) {
        long end = 0;
        for (int reduce = 0; reduce < output.blocks(); reduce++) {
            clear(output.lease(), end, output.start(reduce));
            end = output.end(reduce);
        }
        clear(output.lease(), end, (long) Lease.framesOf(end) * Lease.FRAME_BYTES);
    }

    /** A gap is less than a frame. */
    private static void clear(Lease lease, long from, long to) {
        ByteBuffer gap = lease.view(from, Math.toIntExact(to - from));
        gap.put(ZEROS, 0, gap.remaining());
    }

    /** The output ends. */
    synchronized void close() {
        byPort.values().forEach(OpenPorts::close);
        byPort.clear();
    }

    private static void close(Answer answer) {
        MemoryWindow.Opening opening = answer.opening();
        if (opening != null) {
            opening.close();
        }
    }
}
