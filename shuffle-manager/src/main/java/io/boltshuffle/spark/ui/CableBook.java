package io.boltshuffle.spark.ui;

import io.boltshuffle.spark.report.AgentState;
import io.boltshuffle.spark.report.ReportedLink;
import io.boltshuffle.spark.report.ReportedPeer;
import io.boltshuffle.wire.FailureReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Records the cables, as the agents at their ends see them, and what happened to them. Confined to its owner's lock.
 */
final class CableBook {
    private static final int MAX_ENDS = 256;
    private static final int MAX_EVENTS = 200;
    private static final String CABLE_PULLED = FailureReason.CABLE_PULLED + ": ";

    private final Map<Picture.End, EndBook> ends = new LinkedHashMap<>();
    private final Map<String, AgentState> agents = new LinkedHashMap<>();
    private final Set<String> answeredOnce = new HashSet<>();
    private final Deque<Picture.LinkEvent> events = new ArrayDeque<>();
    private long changes;

    private static final class EndBook {
        private final Picture.End far;
        private final RateMeter meter;
        private String state = "";
        private String detail = "";
        private long stripeMicros;
        private long damaged;

        EndBook(Picture.End far, RateMeter meter) {
            this.far = far;
            this.meter = meter;
        }
    }

    /**
     * Takes an agent's report.
     *
     * @return whether something happened that has to be reported at once
     */
    boolean reported(long timeMillis, String host, AgentState agent) {
        @Nullable AgentState before = agents.put(host, agent);
        long changesBefore = changes;
        if (before != null && before.answered() != agent.answered()) {
            add(new Picture.LinkEvent(
                    timeMillis, host, "", "", agent.answered() ? "AGENT ANSWERS" : "NO AGENT", agent.problem()));
        }
        boolean firstAnswer = agent.answered() && answeredOnce.add(host);
        Set<Picture.End> seen = new HashSet<>();
        for (ReportedLink link : agent.links()) {
            Picture.End near = new Picture.End(host, link.near());
            if (ends.containsKey(near) || ends.size() < MAX_ENDS) {
                seen.add(near);
                link(timeMillis, near, link, firstAnswer);
            }
        }
        ends.forEach((near, end) -> {
            if (near.host().equals(host) && !seen.contains(near)) {
                String why = whyGone(agent, near, end.far.host());
                boolean pulled = why.startsWith(CABLE_PULLED);
                change(
                        timeMillis,
                        near,
                        end,
                        pulled ? "PULLED" : "GONE",
                        pulled ? why.substring(CABLE_PULLED.length()) : why);
            }
        });
        return changes != changesBefore;
    }

    /**
     * Takes the state of a link.
     *
     * @param carriedBefore whether the link may have carried bytes before the application began
     */
    private void link(long timeMillis, Picture.End near, ReportedLink link, boolean carriedBefore) {
        Picture.End far = new Picture.End(link.peer(), link.far());
        @Nullable EndBook end = ends.get(near);
        if (end == null || !end.far.equals(far)) {
            forgetFarEnd(near, end); // another cable is where one was
            end = new EndBook(far, new RateMeter(timeMillis, carriedBefore ? link.fetchedBytes() : 0));
            ends.put(near, end);
        }
        end.meter.read(timeMillis, link.fetchedBytes());
        end.stripeMicros = link.stripeMicros();
        end.damaged = link.damaged();
        change(timeMillis, near, end, link.state(), link.detail());
    }

    private void forgetFarEnd(Picture.End near, @Nullable EndBook end) {
        if (end != null) {
            ends.computeIfPresent(end.far, (place, other) -> other.far.equals(near) ? null : other);
        }
    }

    private static String whyGone(AgentState agent, Picture.End near, String peer) {
        return agent.answered()
                ? agent.peers().stream()
                        .filter(known ->
                                known.host().equals(peer) && !known.detail().isEmpty())
                        .map(ReportedPeer::detail)
                        .findFirst()
                        .orElse(near.port() + " has no link now")
                : agent.problem();
    }

    private void change(long timeMillis, Picture.End near, EndBook end, String state, String detail) {
        if (!end.state.equals(state)) {
            add(new Picture.LinkEvent(timeMillis, near.host(), near.port(), end.far.host(), state, detail));
        }
        end.state = state;
        end.detail = detail;
    }

    private void add(Picture.LinkEvent event) {
        changes++;
        events.addFirst(event);
        if (events.size() > MAX_EVENTS) {
            events.removeLast();
        }
    }

    AgentState agent(String host) {
        return agents.getOrDefault(host, AgentState.unknown("nothing reported"));
    }

    List<Picture.LinkEvent> events() {
        return List.copyOf(events);
    }

    /** Returns how many bytes went over each cable so far, by its name. */
    Map<String, Long> bytes(long nowMillis) {
        return cables(nowMillis).stream().collect(Collectors.toMap(Picture.Cable::name, Picture.Cable::bytes));
    }

    /** Returns each cable once, whichever ends report it, from the host whose name comes first; without its peak. */
    List<Picture.Cable> cables(long nowMillis) {
        List<Picture.Cable> cables = new ArrayList<>();
        Set<Picture.End> drawn = new HashSet<>();
        ends.forEach((near, end) -> {
            if (drawn.add(near)) {
                @Nullable EndBook other = ends.get(end.far);
                boolean isItsEnd = other != null && other.far.equals(near);
                if (isItsEnd) {
                    drawn.add(end.far);
                }
                cables.add(cable(near, end, isItsEnd ? other : null, nowMillis));
            }
        });
        return cables;
    }

    private static Picture.Cable cable(Picture.End near, EndBook end, @Nullable EndBook other, long nowMillis) {
        EndBook worse = other != null && end.state.equals("UP") ? other : end;
        RateMeter back = other == null ? new RateMeter(nowMillis, 0) : other.meter;
        boolean inOrder = near.host().compareTo(end.far.host()) <= 0;
        return new Picture.Cable(
                inOrder ? near : end.far,
                inOrder ? end.far : near,
                worse.state,
                worse.detail,
                end.meter.total() + back.total(),
                end.meter.bytesPerSecond(nowMillis) + back.bytesPerSecond(nowMillis),
                0,
                Math.max(end.stripeMicros, other == null ? 0 : other.stripeMicros),
                end.damaged + (other == null ? 0 : other.damaged));
    }
}
