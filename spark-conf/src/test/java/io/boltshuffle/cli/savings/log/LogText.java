package io.boltshuffle.cli.savings.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes event logs as Spark does, with the parts of events that are read and a few that are not. */
public final class LogText {
    private final List<String> lines = new ArrayList<>();

    /** The work of a task; its times are from 1,000 ms on. */
    public record Task(
            int stage,
            String type,
            long millis,
            long waitMillis,
            long remoteBytes,
            long localBytes,
            long writtenBytes,
            long records,
            long writeNanos,
            long spilledBytes) {

        public static Task map(int stage, long writtenBytes, long records, long writeNanos) {
            return new Task(stage, "ShuffleMapTask", 2_000, 0, 0, 0, writtenBytes, records, writeNanos, 0);
        }

        public static Task reduce(int stage, long waitMillis, long remoteBytes, long localBytes) {
            return new Task(stage, "ResultTask", 2_000, waitMillis, remoteBytes, localBytes, 0, 0, 0, 0);
        }

        Task spilling(long bytes) {
            return new Task(
                    stage, type, millis, waitMillis, remoteBytes, localBytes, writtenBytes, records, writeNanos, bytes);
        }
    }

    /** An RDD of a stage; the first of a stage is the one that it computes. */
    public record Rdd(int id, String name, String operation, int partitions, List<Integer> parents) {
        String json() {
            return """
                    {"RDD ID":%d,"Name":"%s","Scope":"{\\"id\\":\\"7\\",\\"name\\":\\"%s\\"}","Parent IDs":%s,\
                    "Number of Partitions":%d}""".formatted(id, name, operation, parents, partitions);
        }
    }

    /** A stage of a job. */
    public record Stage(int id, String name, List<Integer> parents, List<Rdd> rdds) {
        String json() {
            String all = rdds.stream().map(Rdd::json).collect(Collectors.joining(","));
            return """
                    {"Stage ID":%d,"Stage Name":"%s","Number of Tasks":2,\
                    "RDD Info":[%s],"Parent IDs":%s}""".formatted(id, name, all, parents);
        }
    }

    /** Begins a log of two hosts with two cores each. */
    public static LogText start(String name, Map<String, String> settings) {
        return start(name, settings, "app-1");
    }

    public static LogText start(String name, Map<String, String> settings, String id) {
        String all = settings.entrySet().stream()
                .map(each -> '"' + each.getKey() + "\":\"" + each.getValue() + '"')
                .collect(Collectors.joining(","));
        return new LogText()
                .line("{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"4.2.0\"}")
                .line("{\"Event\":\"SparkListenerResourceProfileAdded\",\"Resource Profile Id\":0}")
                .line("{\"Event\":\"SparkListenerEnvironmentUpdate\",\"Spark Properties\":{" + all + "}}")
                .line("{\"Event\":\"SparkListenerApplicationStart\",\"App Name\":\"" + name + "\",\"App ID\":\"" + id
                        + "\",\"Timestamp\":1000}")
                .executor("0", "127.0.0.2")
                .executor("1", "127.0.0.3");
    }

    public LogText line(String line) {
        lines.add(line);
        return this;
    }

    LogText executor(String id, String host) {
        return line("{\"Event\":\"SparkListenerExecutorAdded\",\"Timestamp\":1000,\"Executor ID\":\"" + id
                + "\",\"Executor Info\":{\"Host\":\"" + host + "\",\"Total Cores\":2}}");
    }

    LogText executorGone(String id) {
        return line("{\"Event\":\"SparkListenerExecutorRemoved\",\"Executor ID\":\"" + id + "\"}");
    }

    public LogText job(Stage... stages) {
        return job("", stages);
    }

    LogText job(String query, Stage... stages) {
        String properties = query.isEmpty() ? "" : "\"spark.sql.execution.id\":\"" + query + '"';
        return line("{\"Event\":\"SparkListenerJobStart\",\"Job ID\":0,\"Stage Infos\":["
                + List.of(stages).stream().map(Stage::json).collect(Collectors.joining(","))
                + "],\"Properties\":{" + properties + "}}");
    }

    public LogText task(Task task) {
        return line("""
                {"Event":"SparkListenerTaskEnd","Stage ID":%d,"Stage Attempt ID":0,"Task Type":"%s",\
                "Task Info":{"Launch Time":1000,"Finish Time":%d,"Failed":false,"Killed":false},\
                "Task Metrics":{"Executor Run Time":%d,"Memory Bytes Spilled":0,"Disk Bytes Spilled":%d,\
                "Shuffle Read Metrics":{"Remote Blocks Fetched":1,"Local Blocks Fetched":1,"Fetch Wait Time":%d,\
                "Remote Bytes Read":%d,"Local Bytes Read":%d,"Remote Requests Duration":9},\
                "Shuffle Write Metrics":{"Shuffle Bytes Written":%d,"Shuffle Write Time":%d,\
                "Shuffle Records Written":%d}}}""".formatted(
                        task.stage(),
                        task.type(),
                        1_000 + task.millis(),
                        task.millis(),
                        task.spilledBytes(),
                        task.waitMillis(),
                        task.remoteBytes(),
                        task.localBytes(),
                        task.writtenBytes(),
                        task.writeNanos(),
                        task.records()));
    }

    /** A query with one exchange, whose bytes are counted by the metric 11 and whose partitions by 10. */
    LogText query(int id, String description) {
        return line("""
                {"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":%d,\
                "description":"%s","sparkPlanInfo":{"nodeName":"AdaptiveSparkPlan","children":[{"nodeName":"Exchange",\
                "children":[],"metrics":[{"name":"shuffle bytes written","accumulatorId":11},\
                {"name":"number of partitions","accumulatorId":10}]}],"metrics":[]}}""".formatted(id, description));
    }

    LogText driverMetric(int query, int metric, int value) {
        return line("{\"Event\":\"org.apache.spark.sql.execution.ui.SparkListenerDriverAccumUpdates\",\"executionId\":"
                + query + ",\"accumUpdates\":[[" + metric + "," + value + "]]}");
    }

    LogText completed(int stage, int bytesMetric) {
        return line("{\"Event\":\"SparkListenerStageCompleted\",\"Stage Info\":{\"Stage ID\":" + stage
                + ",\"Accumulables\":[{\"ID\":" + bytesMetric
                + ",\"Name\":\"shuffle bytes written\",\"Value\":\"5\",\"Metadata\":\"sql\"}]}}");
    }

    public LogText end() {
        return line("{\"Event\":\"SparkListenerApplicationEnd\",\"Timestamp\":11000}");
    }

    public String text() {
        return String.join("\n", lines) + "\n";
    }

    public Path write(Path file) throws IOException {
        return Files.writeString(file, text());
    }
}
