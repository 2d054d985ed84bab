package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.RegisteredRange;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of a link that ended before its queue pair was known to be destroyed. The device may still touch it.
 *
 * <p><b>Threads:</b> begun on the poller. The link has ended by then, and its poller with it: the thread that learns
 * late that the queue pair is gone ends the quarantine.
 *
 * @param link its name, for the log
 */
record Quarantine(String link, List<RegisteredRange> ranges) {

    private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

    /**
     * Puts the scratch memory into quarantine, too.
     *
     * @param transfers ranges that are in quarantine already
     */
    static Quarantine begin(String link, List<RegisteredRange> transfers, RegisteredRange scratch, String why) {
        scratch.quarantine(why);
        List<RegisteredRange> all = new ArrayList<>(transfers);
        all.add(scratch);
        return new Quarantine(link, List.copyOf(all));
    }

    void end() {
        LOG.info("{}: its queue pair is destroyed, late; {} ranges leave quarantine", link, ranges.size());
        for (RegisteredRange range : ranges) {
            try {
                range.endQuarantine();
            } catch (RuntimeException e) {
                LOG.error("{}: {} stays in quarantine", link, range, e);
            }
        }
    }
}
