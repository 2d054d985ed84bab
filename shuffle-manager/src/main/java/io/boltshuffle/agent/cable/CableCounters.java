package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.link.LinkFailure;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What became of the links over each cable to one peer, over all connections to it. Confined to the agent's loop. */
public final class CableCounters {

    private final Map<CablePair, Counts> byCable = new LinkedHashMap<>();

    private static final class Counts {
        private long ups;
        private final Map<LinkFailure.Reason, Long> failures = new EnumMap<>(LinkFailure.Reason.class);
    }

    public void up(CablePair cable) {
        counts(cable).ups++;
    }

    public void failed(CablePair cable, LinkFailure.Reason reason) {
        counts(cable).failures.merge(reason, 1L, Long::sum);
    }

    public List<CableStatus> status() {
        return byCable.entrySet().stream()
                .map(entry -> new CableStatus(
                        entry.getKey().near().toString(),
                        entry.getKey().far().toString(),
                        entry.getValue().ups,
                        Map.copyOf(entry.getValue().failures)))
                .toList();
    }

    private Counts counts(CablePair cable) {
        return byCable.computeIfAbsent(cable, key -> new Counts());
    }
}
