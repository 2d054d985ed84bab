package io.boltshuffle.rdma.link;

import org.jspecify.annotations.Nullable;

/**
 * Hears of a link's life: {@link #onUp} at most once, then {@link #onDown} exactly once, then {@link #onEnded} exactly
 * once.
 *
 * <p><b>Threads:</b> called on the link's poller thread; must not block.
 */
public interface LinkListener {

    /** Transfers may start now. */
    void onUp(LinkReport report);

    /**
     * The link takes and moves nothing any more; its transfers have ended.
     *
     * @param failure why, or null if it was closed in order by either side
     */
    void onDown(@Nullable LinkFailure failure);

    /**
     * The queue pair is gone, or given up as stuck; every range is released or quarantined. A fresh link may be built
     * now.
     *
     * @param end {@link LinkState#CLOSED} or {@link LinkState#FAILED}
     */
    void onEnded(LinkState end);
}
