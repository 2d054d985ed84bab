package io.boltshuffle.proof.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keeps what agents reported about themselves: the last report of each process. The counts of a killed agent therefore
 * stay, except what it counted after its last answer.
 *
 * <p><b>Threads:</b> any.
 */
final class AgentRecords {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final Path root;
    private final Map<Long, JsonNode> lastWords = new HashMap<>();

    /** @param root the directory of the agents' sockets */
    AgentRecords(Path root) {
        this.root = root;
    }

    /** Asks the agents of all hosts; those that are stopped or gone do not answer. */
    List<JsonNode> ask(List<String> hosts) {
        return hosts.stream().flatMap(host -> ask(host).stream()).toList();
    }

    private Optional<JsonNode> ask(String host) {
        try {
            JsonNode status = JSON.readTree(AgentInquiry.status(MeetingPlace.open(root, host), ANSWER));
            keep(status);
            return Optional.of(status);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private synchronized void keep(JsonNode status) {
        lastWords.put(status.path("processId").asLong(), status);
    }

    /** Returns the bytes that came by RDMA, over all agents that ever answered. */
    long fetchedBytes() {
        return total("/counters/fetchedBytes");
    }

    /** Returns the bytes that were served without reading a file. */
    long servedFromMemoryBytes() {
        return total("/counters/servedFromMemoryBytes");
    }

    /** Returns the number of broadcasts' pieces, cached partitions and results that processes laid out for others. */
    long laidOutBlocks() {
        return total("/live/laidOut");
    }

    /** Returns the number of links that found damaged bytes. */
    long damageFound() {
        return failedLinks().getOrDefault("CHECKSUM_MISMATCH", 0L);
    }

    /** Returns the links that went down, by reason. */
    Map<String, Long> failedLinks() {
        return totals("/counters/failedLinks");
    }

    /** Returns the failed fetches, by reason; their blocks came by TCP. */
    Map<String, Long> failedFetches() {
        return totals("/counters/failedFetches");
    }

    private synchronized long total(String pointer) {
        return lastWords.values().stream()
                .mapToLong(status -> status.at(pointer).asLong())
                .sum();
    }

    private synchronized Map<String, Long> totals(String pointer) {
        Map<String, Long> totals = new TreeMap<>();
        for (JsonNode status : lastWords.values()) {
            status.at(pointer)
                    .properties()
                    .forEach(reason ->
                            totals.merge(reason.getKey(), reason.getValue().asLong(), Long::sum));
        }
        return totals;
    }
}
