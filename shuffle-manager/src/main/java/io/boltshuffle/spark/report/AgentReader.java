package io.boltshuffle.spark.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks the agent of a host for its state. Each call blocks the caller, at most for the time limit. */
public final class AgentReader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIME_LIMIT = Duration.ofSeconds(2);

    private final Path root;
    private final String host;

    /**
     * @param root the directory of all agents' directories
     * @param host as Spark names it
     */
    public AgentReader(Path root, String host) {
        this.root = root;
        this.host = host;
    }

    /** Returns the agent's state, or why there is none. */
    public AgentState read() {
        try {
            return parse(AgentInquiry.status(MeetingPlace.open(root, host), TIME_LIMIT));
        } catch (IOException e) {
            return AgentState.unknown(String.valueOf(e.getMessage()));
        }
    }

    static AgentState parse(String status) throws IOException {
        JsonNode agent = JSON.readTree(status);
        JsonNode memory = agent.path("memory");
        List<ReportedLink> links = new ArrayList<>();
        List<ReportedPeer> peers = new ArrayList<>();
        for (JsonNode peer : agent.path("peers")) {
            if (peers.size() < AgentState.MAX_LINKS) {
                peers.add(peer(peer));
            }
            for (JsonNode link : peer.path("links")) {
                if (links.size() < AgentState.MAX_LINKS) {
                    links.add(link(peer, link));
                }
            }
        }
        return new AgentState(
                "",
                memory.path("slabBytes").asLong(),
                memory.path("usedBytes").asLong(),
                memory.path("pinnedBytes").asLong(),
                memory.path("quarantinedBytes").asLong(),
                memory.path("leakedRegions").asLong(),
                links,
                peers);
    }

    private static ReportedPeer peer(JsonNode peer) {
        return new ReportedPeer(
                peer.path("host").asText(),
                peer.path("state").asText(),
                peer.path("detail").asText());
    }

    private static ReportedLink link(JsonNode peer, JsonNode link) {
        String near = link.path("near").asText();
        return new ReportedLink(
                peer.path("host").asText(),
                near,
                link.path("far").asText(),
                link.path("state").asText(),
                link.path("detail").asText(),
                link.path("counters").path("bytesVerified").asLong(),
                link.path("pace").path("recentStripeMicros").asLong(),
                damaged(peer.path("cables"), near));
    }

    private static long damaged(JsonNode cables, String near) {
        for (JsonNode cable : cables) {
            if (cable.path("near").asText().equals(near)) {
                return cable.path("failures").path("CHECKSUM_MISMATCH").asLong();
            }
        }
        return 0;
    }
}
