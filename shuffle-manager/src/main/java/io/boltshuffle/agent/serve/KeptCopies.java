package io.boltshuffle.agent.serve;

import io.boltshuffle.loop.Loop;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Copies that are kept for a while because they may be wanted again.
 *
 * <p><b>Invariant:</b> all together have no more bytes than the limit, and each is given up once: when its time is
 * over, when younger ones need its room, or when all are. A copy that was taken out is not given up.
 *
 * <p><b>Threads:</b> confined to the loop. Giving one up may give up others meanwhile.
 */
final class KeptCopies<T> {

    private record Kept(long bytes, Loop.Timer end) {}

    private final Loop loop;
    private final long limitBytes;
    private final long ageNanos;
    private final Consumer<T> giveUp;
    /** The one first that was kept first. */
    private final Map<T, Kept> kept = new LinkedHashMap<>();

    private long bytes;

    KeptCopies(Loop loop, long limitBytes, long ageNanos, Consumer<T> giveUp) {
        this.loop = loop;
        this.limitBytes = limitBytes;
        this.ageNanos = ageNanos;
        this.giveUp = giveUp;
    }

    /** Keeps one that is not kept yet. One that is larger than the limit is given up at once. */
    void keep(T copy, long copyBytes) {
        if (copyBytes > limitBytes) {
            giveUp.accept(copy);
            return;
        }
        while (copyBytes > limitBytes - bytes) {
            giveUp(kept.keySet().iterator().next());
        }
        bytes += copyBytes;
        kept.put(copy, new Kept(copyBytes, loop.after(ageNanos, () -> giveUp(copy))));
    }

    /** Takes one out, if it is kept: it is in use again. */
    void take(T copy) {
        Kept taken = kept.remove(copy);
        if (taken != null) {
            taken.end().cancel();
            bytes -= taken.bytes();
        }
    }

    void giveUpAll() {
        while (!kept.isEmpty()) {
            giveUp(kept.keySet().iterator().next());
        }
    }

    private void giveUp(T copy) {
        take(copy);
        giveUp.accept(copy);
    }

    long bytes() {
        return bytes;
    }
}
