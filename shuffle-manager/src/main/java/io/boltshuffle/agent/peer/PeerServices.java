package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.pull.PullServices;
import io.boltshuffle.topology.Topology;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The services that all peers of an agent share.
 *
 * @param identity that this agent shows to others
 * @param topology which hosts are cabled to each other, if a file says so
 * @param pulls what their fetches share
 * @param clock tells people since when a peer is cut off
 */
public record PeerServices(
        AgentIdentity identity, Optional<Topology> topology, PullServices pulls, InstantSource clock) {}
