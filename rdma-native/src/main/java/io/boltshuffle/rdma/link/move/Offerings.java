package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.link.RegisteredRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The offers made over a link, until the device has no use for them any more.
 *
 * <p><b>Threads:</b> confined to the poller.
 */
public final class Offerings {

    private final Map<Long, Offering> byToken = new HashMap<>();
    private final LinkCounting counting;
    private int awaited;

    Offerings(LinkCounting counting) {
        this.counting = counting;
    }

    public void add(Offering offering) {
        byToken.put(offering.token(), offering);
    }

    public @Nullable Offering find(long token) {
        return byToken.get(token);
    }

    /** Its owner wants it back: lets go of it as soon as the device has no use for it any more. */
    void withdraw(Offering offering) {
        if (!offering.isWithdrawn()) {
            offering.withdraw();
            awaited++;
            letGoIfQuiet(offering);
        }
    }

    void letGoIfQuiet(Offering offering) {
        if (offering.isQuiet() && byToken.remove(offering.token()) != null) {
            awaited--;
            offering.release();
        }
    }

    /** True while the device still has a use for one that is withdrawn. */
    boolean isAnyAwaited() {
        return awaited > 0;
    }

    /** The queue pair is gone: the device reads nothing any more. */
    void releaseAll() {
        List<Offering> all = List.copyOf(byToken.values());
        byToken.clear();
        all.forEach(Offering::release);
    }

    /** Returns what may leave quarantine as soon as the queue pair is destroyed. */
    List<RegisteredRange> quarantineAll(String reason) {
        List<RegisteredRange> doubtful = new ArrayList<>();
        List<Offering> all = List.copyOf(byToken.values());
        byToken.clear();
        for (Offering offering : all) {
            doubtful.add(offering.quarantine(reason));
            counting.rangeQuarantined();
        }
        return doubtful;
    }
}
