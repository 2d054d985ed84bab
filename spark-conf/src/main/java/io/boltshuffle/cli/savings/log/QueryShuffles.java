package io.boltshuffle.cli.savings.log;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/**
 * The shuffles of SQL. An exchange in a plan counts its written bytes by a metric with a number, which the stage names
 * again when it is complete; another of its metrics is the number of partitions, which the driver sets. Those of the
 * latest queries are kept, because stages may still run when their query has ended.
 */
final class QueryShuffles {
    private static final String BYTES = "shuffle bytes written";
    private static final String PARTITIONS = "number of partitions";

    private static final int KEPT_QUERIES = 256;

    private final Map<Long, Query> queries = new LinkedHashMap<>();

    /** The metrics of one query, by their numbers. */
    private static final class Query {
        private final Map<Long, Long> partitionsOfBytes = new HashMap<>();
        private final Map<Long, Integer> setByDriver = new HashMap<>(); // often before the plan is told
        private String description = "";
    }

    /** Adds a query that starts. */
    void start(JsonNode event) {
        query(event).description = event.path("description").asText();
        plan(event);
    }

    /** Returns what a user calls a stage of that query: the stage itself is named after Spark's own code. */
    Optional<String> title(String query) {
        if (query.isEmpty()) {
            return Optional.empty();
        }
        String description = queries.entrySet().stream()
                .filter(each -> Long.toString(each.getKey()).equals(query))
                .map(each -> each.getValue().description)
                .findFirst()
                .orElse("");
        return Optional.of(description.isEmpty() ? "query " + query : "query " + query + ": " + description);
    }

    /** Adds a plan as a query starts, or as AQE changes it. */
    void plan(JsonNode event) {
        Query query = query(event);
        Deque<JsonNode> nodes = new ArrayDeque<>();
        nodes.push(event.path("sparkPlanInfo"));
        while (!nodes.isEmpty()) {
            JsonNode node = nodes.pop();
            node.path("children").forEach(nodes::push);
            addMetrics(node.path("metrics"), query);
        }
    }

    /** Adds the metrics of a subquery that AQE changed, whose plan is not told: those of all its nodes in one list. */
    void metrics(JsonNode event) {
        addMetrics(event.path("sqlPlanMetrics"), query(event));
    }

    /**
     * Pairs the metrics of exchanges. Those of one exchange have consecutive numbers, and that of the bytes is behind
     * that of the partitions; other nodes count partitions, too, but no bytes.
     */
    private static void addMetrics(JsonNode metrics, Query query) {
        TreeSet<Long> partitions = new TreeSet<>();
        for (JsonNode metric : metrics) {
            if (metric.path("name").asText().equals(PARTITIONS)) {
                partitions.add(metric.path("accumulatorId").asLong());
            }
        }
        for (JsonNode metric : metrics) {
            long bytes = metric.path("accumulatorId").asLong();
            Long before = partitions.lower(bytes);
            if (metric.path("name").asText().equals(BYTES) && before != null) {
                query.partitionsOfBytes.put(bytes, before);
            }
        }
    }

    /** Adds what the driver set metrics to. */
    void driverMetrics(JsonNode event) {
        Query query = query(event);
        for (JsonNode update : event.path("accumUpdates")) {
            query.setByDriver.put(update.path(0).asLong(), update.path(1).asInt());
        }
    }

    /** Tells the tally of a complete stage what it wrote, if an exchange of SQL did. */
    void complete(JsonNode stage, StageTally tally) {
        for (JsonNode metric : stage.path("Accumulables")) {
            if (metric.path("Name").asText().equals(BYTES)
                    && metric.path("Metadata").asText().equals("sql")) {
                tally.shape(LoggedShuffle.ofRows(partitions(metric.path("ID").asLong())));
                tally.writesRows();
            }
        }
    }

    private OptionalInt partitions(long bytes) {
        return queries.values().stream()
                .map(query -> query.setByDriver.get(query.partitionsOfBytes.getOrDefault(bytes, -1L)))
                .filter(Objects::nonNull)
                .mapToInt(Integer::intValue)
                .findFirst();
    }

    private Query query(JsonNode event) {
        Query query = queries.computeIfAbsent(event.path("executionId").asLong(), each -> new Query());
        if (queries.size() > KEPT_QUERIES) {
            queries.remove(queries.keySet().iterator().next());
        }
        return query;
    }
}
