package io.boltshuffle.cli.savings.log;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.cli.savings.log.LoggedShuffle.Answer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** Adds up one application, event after event. What it keeps grows with stages and executors, never with tasks. */
final class ApplicationTally {
    private static final int LONGEST_NAME = 120;
    private static final String SQL = "org.apache.spark.sql.execution.ui.SparkListener";
    private static final int DEFAULT_BYPASS_THRESHOLD = 200;

    private final Map<Integer, StageTally> stages = new TreeMap<>();
    private final QueryShuffles queries = new QueryShuffles();
    private final Map<String, Integer> coresOfExecutors = new HashMap<>();
    private final Set<String> hosts = new HashSet<>();
    private final Map<String, String> settings = new TreeMap<>();

    private String id = "";
    private String name = "";
    private String sparkVersion = "";
    private long startMillis;
    private long endMillis;
    private long lastMillis;
    private int cores;
    private int mostCores;

    /** Returns whether {@link #add} wants the content of such events. */
    static boolean wants(String event) {
        return switch (event) {
            case "SparkListenerLogStart",
                    "SparkListenerApplicationStart",
                    "SparkListenerApplicationEnd",
                    "SparkListenerEnvironmentUpdate",
                    "SparkListenerExecutorAdded",
                    "SparkListenerExecutorRemoved",
                    "SparkListenerJobStart",
                    "SparkListenerStageCompleted",
                    "SparkListenerTaskEnd" -> true;
            default -> event.startsWith(SQL);
        };
    }

    void add(String kind, JsonNode event) {
        switch (kind) {
            case "SparkListenerLogStart" ->
                sparkVersion = event.path("Spark Version").asText();
            case "SparkListenerApplicationStart" -> {
                id = event.path("App ID").asText();
                name = shortened(event.path("App Name").asText());
                startMillis = event.path("Timestamp").asLong();
            }
            case "SparkListenerApplicationEnd" ->
                endMillis = event.path("Timestamp").asLong();
            case "SparkListenerEnvironmentUpdate" -> addSettings(event.path("Spark Properties"));
            case "SparkListenerExecutorAdded" -> addExecutor(event);
            case "SparkListenerExecutorRemoved" ->
                removeExecutor(event.path("Executor ID").asText());
            case "SparkListenerJobStart" ->
                addJob(
                        event.path("Stage Infos"),
                        event.path("Properties").path("spark.sql.execution.id").asText());
            case "SparkListenerStageCompleted" -> complete(event.path("Stage Info"));
            case "SparkListenerTaskEnd" -> {
                lastMillis = Math.max(
                        lastMillis, event.path("Task Info").path("Finish Time").asLong());
                stage(event.path("Stage ID").asInt()).add(event);
            }
            case SQL + "SQLExecutionStart" -> queries.start(event);
            case SQL + "SQLAdaptiveExecutionUpdate" -> queries.plan(event);
            case SQL + "SQLAdaptiveSQLMetricUpdates" -> queries.metrics(event);
            case SQL + "DriverAccumUpdates" -> queries.driverMetrics(event);
            default -> {
                // Other events of SQL say nothing about shuffles.
            }
        }
    }

    /** Returns whether anything of an application was seen, so that this is a log. */
    boolean isApplication() {
        return !sparkVersion.isEmpty() || !id.isEmpty() || !stages.isEmpty();
    }

    boolean hasEnded() {
        return endMillis > 0;
    }

    ApplicationSums sums(String log, List<String> gaps) {
        int threshold =
                LoggedSettings.number(settings, "spark.shuffle.sort.bypassMergeThreshold", DEFAULT_BYPASS_THRESHOLD);
        long end = hasEnded() ? endMillis : lastMillis;
        return new ApplicationSums(
                log,
                id,
                name.isEmpty() ? log : name,
                sparkVersion,
                startMillis == 0 ? 0 : Math.max(0, end - startMillis),
                mostCores == 0 ? OptionalInt.empty() : OptionalInt.of(mostCores),
                hosts.size(),
                Map.copyOf(settings),
                stages.values().stream()
                        .filter(stage -> !stage.isEmpty())
                        .map(stage -> stage.sums(threshold))
                        .toList(),
                List.copyOf(gaps));
    }

    private void addSettings(JsonNode properties) {
        properties
                .properties()
                .forEach(property ->
                        settings.put(property.getKey(), property.getValue().asText()));
    }

    private void addExecutor(JsonNode event) {
        JsonNode executor = event.path("Executor Info");
        int its = Math.max(0, executor.path("Total Cores").asInt());
        removeExecutor(event.path("Executor ID").asText());
        coresOfExecutors.put(event.path("Executor ID").asText(), its);
        hosts.add(executor.path("Host").asText());
        cores += its;
        mostCores = Math.max(mostCores, cores);
    }

    private void removeExecutor(String executor) {
        Integer its = coresOfExecutors.remove(executor);
        cores -= its == null ? 0 : its;
    }

    private void addJob(JsonNode infos, String query) {
        for (JsonNode info : infos) {
            String name = queries.title(query).orElse(info.path("Stage Name").asText());
            stage(info.path("Stage ID").asInt()).name(shortened(name));
        }
        boolean kryo = settings.getOrDefault("spark.serializer", "").endsWith("KryoSerializer");
        new RddShuffles(kryo ? Answer.YES : Answer.UNKNOWN)
                .of(infos)
                .forEach((stage, shape) -> stage(stage).shape(shape));
    }

    private void complete(JsonNode info) {
        queries.complete(info, stage(info.path("Stage ID").asInt()));
    }

    private StageTally stage(int number) {
        return stages.computeIfAbsent(number, StageTally::new);
    }

    /** Names are as long as their makers liked. */
    private static String shortened(String text) {
        return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME) + "...";
    }
}
