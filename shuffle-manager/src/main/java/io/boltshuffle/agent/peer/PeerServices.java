package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.fetch.PullServices;
import io.boltshuffle.agent.serve.ServeServices;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.topology.Topology;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The services that all peers of an agent share.
 *
 * @param identity that this agent shows to others
 * @param topology which hosts are cabled to each other, if a file says so
 * @param fetching what fetches from them share
 * @param serving what their pulls share
 * @param clock tells people since when a peer is cut off
 */
public record PeerServices(
        AgentIdentity identity,
        Optional<Topology> topology,
        PullServices fetching,
        ServeServices serving,
        InstantSource clock) {

    Loop loop() {
        return serving.loop();
    }

    Settings settings() {
        return serving.settings();
    }
}
