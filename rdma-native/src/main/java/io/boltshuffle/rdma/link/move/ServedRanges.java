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
 * <p><b>Threads:</b> confined to the thread that has the link's turn.
 */
public final class ServedRanges {

    private final Map<Long, ServedRange> byToken = new HashMap<>();
    private final LinkRecorder recorder;
    private int awaited;

    ServedRanges(LinkRecorder recorder) {
        this.recorder = recorder;
    }

    public void add(ServedRange served) {
        byToken.put(served.token(), served);
    }

    public @Nullable ServedRange find(long token) {
        return byToken.get(token);
    }

    /** Its owner wants it back: lets go of it as soon as the device has no use for it any more. */
    void withdraw(ServedRange served) {
        if (!served.isWithdrawn()) {
            served.withdraw();
            awaited++;
            letGoIfQuiet(served);
        }
    }

    void letGoIfQuiet(ServedRange served) {
        if (served.isQuiet() && byToken.remove(served.token()) != null) {
            awaited--;
            served.release();
        }
    }

    /** True while the device still has a use for one that is withdrawn. */
    boolean isAnyAwaited() {
        return awaited > 0;
    }

    /** The queue pair is gone: the device reads nothing any more. */
    void releaseAll() {
        List<ServedRange> all = List.copyOf(byToken.values());
        byToken.clear();
        all.forEach(ServedRange::release);
    }

    /** Returns what may leave quarantine as soon as the queue pair is destroyed. */
    List<RegisteredRange> quarantineAll(String reason) {
        List<RegisteredRange> doubtful = new ArrayList<>();
        List<ServedRange> all = List.copyOf(byToken.values());
        byToken.clear();
        for (ServedRange served : all) {
            doubtful.add(served.quarantine(reason));
            recorder.rangeQuarantined();
        }
        return doubtful;
    }
}
