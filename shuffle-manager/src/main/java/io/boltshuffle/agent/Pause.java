package io.boltshuffle.agent;

import io.boltshuffle.agent.cable.PausablePorts;
import io.boltshuffle.agent.peer.Peers;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.wire.WireLimits;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves the cables to other programs while a person wants that: links end in good order, devices are closed, and
 * blocks go by TCP.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class Pause {
    private static final Logger LOG = LoggerFactory.getLogger(Pause.class);

    private final String host;
    private final PausablePorts ports;
    private final Peers peers;
    private final Loop loop;
    private final InstantSource clock;
    private String until = "";
    private Loop.@Nullable Timer end;

    Pause(String host, PausablePorts ports, Peers peers, Loop loop, InstantSource clock) {
        this.host = host;
        this.ports = ports;
        this.peers = peers;
        this.loop = loop;
        this.clock = clock;
    }

    /**
     * Pauses from now on, or ends the pause.
     *
     * @param seconds how long; 0 ends it, {@link WireLimits#MAX_PAUSE_SECONDS} lets it last until it is ended
     */
    void set(long seconds) {
        if (end != null) {
            end.cancel();
            end = null;
        }
        if (seconds == 0) {
            LOG.info("RDMA is used again");
            until = "";
            ports.pause("");
            return;
        }
        boolean isOpen = seconds == WireLimits.MAX_PAUSE_SECONDS;
        until = isOpen
                ? "bolt agent resume"
                : clock.instant()
                        .plusSeconds(seconds)
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString();
        String why = "paused until " + until;
        LOG.info("RDMA is {}; blocks go by TCP", why);
        ports.pause(why);
        peers.endLinks(host + " is " + why);
        if (!isOpen) {
            end = loop.after(TimeUnit.SECONDS.toNanos(seconds), () -> set(0));
        }
    }

    /** Returns the time at which the pause ends, as ISO 8601 has it, or the command that ends it; empty without one. */
    String until() {
        return until;
    }
}
