package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.base.AgentCounters;
import io.boltshuffle.agent.base.Backoff;
import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.CableCounters;
import io.boltshuffle.agent.cable.CablePair;
import io.boltshuffle.agent.cable.LinkSet;
import io.boltshuffle.agent.cable.LinkSlot;
import io.boltshuffle.agent.cable.LinkStatus;
import io.boltshuffle.agent.cable.Ports;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.WireException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links to one peer over one control connection. The end that opened the connection starts them, and starts them
 * anew, with growing delays, when they fail; the other end follows, over the cables that it found itself.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class PeerLinks implements LinkSet, LinkSlot.Owner {

    private static final Logger LOG = LoggerFactory.getLogger(PeerLinks.class);
    private static final Duration FIRST_RETRY = Duration.ofMillis(500);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);

    /** Links that one peer may ask for at once over one cable, those that are ending included. */
    private static final int MAX_SLOTS = 8;

    /** Hears when the number of usable links changes. */
    interface Listener {
        void onLinkUp();

        /** @param detail why the last of them went, or never came */
        void onLinkDown(String detail);

        /**
         * The last link ended because its port is gone, or has nothing to make a link of. No other is tried over it
         * now: ports have to be found anew.
         *
         * @param detail what the port said
         */
        void onNoPort(String detail);
    }

    private final String peer;
    private final Loop loop;
    private final AgentCounters counters;
    private final Ports ports;
    private final Consumer<ControlMessage> out;
    private final CableCounters cableCounters;
    private final Listener listener;
    private final Map<Integer, LinkSlot> slots = new LinkedHashMap<>();
    private final Map<CablePair, Backoff> cables = new HashMap<>();
    private final Set<CablePair> expected = new HashSet<>();
    private List<ActiveLink> up = List.of();
    private int nextLinkId = 1;
    private boolean closed;

    PeerLinks(
            String peer,
            PeerServices services,
            Ports ports,
            Consumer<ControlMessage> out,
            CableCounters cableCounters,
            Listener listener) {
        this.peer = peer;
        this.loop = services.loop();
        this.counters = services.fetching().counters();
        this.ports = ports;
        this.out = out;
        this.cableCounters = cableCounters;
        this.listener = listener;
    }

    @Override
    public List<ActiveLink> up() {
        return up;
    }

    @Override
    public boolean isAnyOnItsWay() {
        return !closed && slots.values().stream().anyMatch(LinkSlot::isOnItsWay);
    }

    /** Starts a link over each cable, at the end that opened the connection. */
    void start(List<CablePair> pairs) {
        for (CablePair cable : pairs) {
            if (cables.putIfAbsent(cable, new Backoff(FIRST_RETRY, LONGEST_RETRY)) == null) {
                startLink(cable);
            }
        }
    }

    /** Lets the peer start links over these cables, at the end that did not open the connection. */
    void expect(List<CablePair> pairs) {
        expected.addAll(pairs);
    }

    void onLinkStart(ControlMessage.LinkStart start) throws WireException {
        if (slots.containsKey(start.linkId())) {
            throw new WireException("link " + start.linkId() + " was started twice");
        }
        CablePair cable = new CablePair(/* near= */ start.far(), /* far= */ start.near());
        String refusal = refusalOf(cable);
        if (refusal.isEmpty()) {
            openSlot(start.linkId(), cable);
        } else {
            LOG.debug("{}: a link over {} is refused: {}", peer, cable, refusal);
            out.accept(new ControlMessage.LinkEnd(start.linkId(), refusal));
        }
    }

    /** Returns why the peer may not have a link over this cable; empty if it may. */
    private String refusalOf(CablePair cable) {
        if (!expected.contains(cable)) {
            return "by what is known here, " + cable.near() + " here does not face " + cable.far()
                    + " there: both hosts need the same topology file, or none";
        }
        long open = slots.values().stream()
                .filter(slot -> slot.cable().equals(cable))
                .count();
        return open < MAX_SLOTS ? "" : open + " links over it exist already";
    }

    void onPayload(ControlMessage.LinkPayload payload) {
        LinkSlot slot = slots.get(payload.linkId());
        if (slot != null) {
            slot.onPayload(payload.payload());
        }
    }

    void onLinkEnd(ControlMessage.LinkEnd end) {
        LinkSlot slot = slots.get(end.linkId());
        if (slot != null) {
            slot.onLost("the peer's end is gone: " + end.detail());
        }
    }

    /** The control connection is gone. */
    void close(String reason) {
        closed = true;
        up = List.of();
        List.copyOf(slots.values()).forEach(slot -> slot.onLost(reason));
    }

    List<LinkStatus> status() {
        return slots.values().stream().map(LinkSlot::status).toList();
    }

    void sample(long nowNanos) {
        slots.values().forEach(slot -> slot.sample(nowNanos));
    }

    @Override
    public void onUp(LinkSlot slot) {
        refresh();
        cableCounters.up(slot.cable());
        Backoff backoff = cables.get(slot.cable());
        if (backoff != null) {
            backoff.succeeded();
        }
        LOG.info("{}: link {} over {} is up: {}", peer, slot.id(), slot.cable(), slot.detail());
        if (!closed) {
            listener.onLinkUp();
        }
    }

    @Override
    public void onDown(LinkSlot slot) {
        refresh();
        if (slot.failure() != null) {
            counters.linkFailed(slot.failure());
            cableCounters.failed(slot.cable(), slot.failure());
        }
        LOG.warn("{}: link {} over {} is down: {}", peer, slot.id(), slot.cable(), slot.detail());
        if (!closed) {
            listener.onLinkDown(slot.detail());
        }
    }

    @Override
    public void onEnded(LinkSlot slot) {
        slots.remove(slot.id());
        refresh();
        if (closed) {
            return;
        }
        listener.onLinkDown(slot.detail());
        if (slots.isEmpty() && slot.isWithoutPort()) {
            listener.onNoPort(slot.detail());
            return;
        }
        Backoff backoff = cables.get(slot.cable());
        if (backoff == null) {
            return;
        }
        if (slot.mayRetry()) {
            loop.after(backoff.afterFailureNanos(), () -> startLink(slot.cable()));
        } else {
            LOG.error("{}: cable {} is given up until somebody acts: {}", peer, slot.cable(), slot.detail());
        }
    }

    private void startLink(CablePair cable) {
        if (!closed) {
            int id = nextLinkId++;
            out.accept(new ControlMessage.LinkStart(id, cable.near(), cable.far()));
            openSlot(id, cable);
        }
    }

    private void openSlot(int id, CablePair cable) {
        LinkSlot slot = new LinkSlot(id, cable, loop, this::send, this);
        slots.put(id, slot);
        slot.open(ports);
    }

    private void send(ControlMessage message) {
        if (!closed) {
            out.accept(message);
        }
    }

    private void refresh() {
        List<ActiveLink> now = new ArrayList<>();
        for (LinkSlot slot : slots.values()) {
            ActiveLink link = slot.activeLink();
            if (link != null && !closed) {
                now.add(link);
            }
        }
        up = List.copyOf(now);
    }
}
