package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts what became of the links over each cable to one peer, over all connections to it. Confined to the
 * agent's loop.
 */
public final class CableCounters {
    private static final int MOST_CABLES = 4;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private final Map<CablePair, Counts> byCable = new LinkedHashMap<>();
    private final InstantSource clock;

    private static final class Counts {
        private long ups;
        private final Map<LinkFailure.Reason, Long> failures = new EnumMap<>(LinkFailure.Reason.class);
        private @Nullable Instant downSince;
    }

    public CableCounters(InstantSource clock) {
        this.clock = clock;
    }

    public void up(CablePair cable) {
        Counts counts = counts(cable);
        counts.ups++;
        counts.downSince = null;
    }

    public void failed(CablePair cable, LinkFailure.Reason reason) {
        Counts counts = counts(cable);
        counts.failures.merge(reason, 1L, Long::sum);
        if (counts.ups > 0 && counts.downSince == null) {
            counts.downSince = clock.instant();
        }
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

    /**
     * The ports of a host that are active.
     *
     * @param host as Spark names it
     */
    public record ActivePorts(String host, List<PortFacts> ports) {
        private Stream<String> missing(PortName port) {
            boolean active = ports.stream().anyMatch(one -> one.name().equals(port));
            return active ? Stream.of() : Stream.of("port " + port + " of " + host);
        }
    }

    /** Says which ports had a working cable and are not active, and since when if that was seen; empty if all are. */
    public String pulled(ActivePorts near, ActivePorts far) {
        List<String> cables = new ArrayList<>();
        byCable.forEach((cable, counts) -> {
            String ports = Stream.concat(near.missing(cable.near()), far.missing(cable.far()))
                    .collect(Collectors.joining(" and "));
            if (counts.ups > 0 && !ports.isEmpty() && cables.size() < MOST_CABLES) {
                String since = counts.downSince == null ? "" : " since " + TIME.format(counts.downSince);
                cables.add("down" + since + ": " + ports);
            }
        });
        return String.join("; ", cables);
    }

    private Counts counts(CablePair cable) {
        return byCable.computeIfAbsent(cable, key -> new Counts());
    }
}
