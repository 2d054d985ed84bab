package io.boltshuffle.agent.serve;

import io.boltshuffle.rdma.link.MemoryWindow;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ports whose peers may read one lease where it is: a copy of a block.
 *
 * <p><b>Invariant:</b> what is left of the last frame is overwritten before any peer may read. All ports are closed
 * before the memory goes back to the pool, which gets it when the devices have let go of it.
 *
 * <p><b>Threads:</b> any. Opening takes long; the lease is held meanwhile, so that {@link #close} never waits for it.
 */
final class OpenPorts {

    private static final byte[] ZEROS = new byte[Lease.FRAME_BYTES];

    /** @param opening null if the port refused: it is not asked again for this lease */
    private record Answer(MemoryWindow.OfPort window, MemoryWindow.@Nullable Opening opening) {}

    private final Map<String, Answer> byPort = new HashMap<>();
    private boolean isRestClear;

    /**
     * Lets the peers of a port read what lies in a lease, if they may not yet.
     *
     * @param bytes what they may read of it, to the end of the last one's frame
     * @return the memory as they read it; empty if the port refuses
     */
    synchronized Optional<RegisteredRange> open(Lease lease, long bytes, MemoryWindow.OfPort window) {
        Answer known = byPort.get(window.port());
        if (known == null || known.window() != window) {
            if (known != null) {
                close(known);
            }
            if (!isRestClear) {
                clearBehind(lease, bytes);
                isRestClear = true;
            }
            known = new Answer(window, window.open(lease, bytes).orElse(null));
            byPort.put(window.port(), known);
        }
        return Optional.ofNullable(known.opening()).map(MemoryWindow.Opening::range);
    }

    /** Overwrites what belonged to others in the last frame of so many bytes. */
    private static void clearBehind(Lease lease, long bytes) {
        long end = (long) Lease.framesOf(bytes) * Lease.FRAME_BYTES;
        ByteBuffer rest = lease.view(bytes, Math.toIntExact(end - bytes));
        rest.put(ZEROS, 0, rest.remaining());
    }

    /** Ends all openings; the lease is used no more. */
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
