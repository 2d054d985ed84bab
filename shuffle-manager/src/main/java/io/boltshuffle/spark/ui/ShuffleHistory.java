package io.boltshuffle.spark.ui;

import io.boltshuffle.spark.report.BlockTraffic;
import io.boltshuffle.spark.report.ExecutorReport;
import io.boltshuffle.spark.report.ShuffleReported;
import io.boltshuffle.spark.report.Traffic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.executor.TaskMetrics;

/**
 * Records an application's shuffles: reports and task ends go in, pictures come out. Its size is bounded, however long
 * the application runs and however many executors come and go.
 *
 * <p><b>Threads:</b> safe from any.
 */
final class ShuffleHistory {
    /** The name that Spark gives the driver where executors have their numbers. */
    static final String DRIVER = "driver";

    private static final int MAX_EXECUTORS = 500;

    private final Map<String, ExecutorBook> executors = new LinkedHashMap<>();
    private final CableBook cables = new CableBook();
    private final StageBook stages = new StageBook();
    private final TrafficSeries series = new TrafficSeries();
    /** The bytes that executors fetched that are no longer kept. */
    private long forgottenRdmaBytes;

    private final Map<String, Long> forgottenNettyBytes = new TreeMap<>();
    private final Map<String, BlockTraffic> forgottenBlocks = new TreeMap<>();
    private List<BlockTraffic> blocksOfDriver = List.of();
    private final List<Notice> notices = new ArrayList<>();

    private static final class ExecutorBook {
        private ExecutorReport last;
        private long lastMillis;
        private final RateMeter rdma;
        private final RateMeter netty;

        ExecutorBook(long timeMillis, ExecutorReport first) {
            this.last = first;
            this.rdma = new RateMeter(timeMillis, 0);
            this.netty = new RateMeter(timeMillis, 0);
        }

        void read(long timeMillis, ExecutorReport report) {
            last = report;
            lastMillis = timeMillis;
            rdma.read(timeMillis, report.traffic().rdmaBytes());
            netty.read(timeMillis, sum(report.traffic().nettyBytes()));
        }
    }

    /**
     * Takes a report.
     *
     * @return whether a cable or an agent changed, which a thinned log must not omit
     */
    synchronized boolean reported(ShuffleReported event) {
        ExecutorReport report = event.report();
        if (report.executor().equals(DRIVER) && !report.blocks().isEmpty()) {
            blocksOfDriver = report.blocks(); // it is no executor
            return false;
        }
        executors
                .computeIfAbsent(report.executor(), key -> new ExecutorBook(event.timeMillis(), report))
                .read(event.timeMillis(), report);
        if (executors.size() > MAX_EXECUTORS) {
            forgetMostSilent();
        }
        stages.reported(report);
        boolean changed = cables.reported(event.timeMillis(), report.host(), report.agent());
        series.add(new Picture.Sample(event.timeMillis(), rdmaBytes(), nettyBytes(), cables.bytes(event.timeMillis())));
        return changed;
    }

    synchronized void noticed(Notice notice) {
        notices.add(notice);
    }

    synchronized void stageSubmitted(int stage, int attempt, String name) {
        stages.submitted(stage, attempt, name);
    }

    synchronized void taskEnded(int stage, int attempt, TaskMetrics metrics) {
        stages.taskEnded(stage, attempt, metrics);
    }

    synchronized Picture picture(long nowMillis) {
        return new Picture(
                nowMillis,
                rdmaBytes(),
                nettyBytes(),
                hosts(nowMillis),
                cables.cables(nowMillis).stream()
                        .map(cable -> cable.withPeak(series.peakOfCable(cable.name())))
                        .toList(),
                series.samples(),
                latency(),
                stages.stages(),
                cables.events(),
                writers(),
                blocks(),
                notices);
    }

    private List<BlockTraffic> blocks() {
        Map<String, BlockTraffic> all = new TreeMap<>(forgottenBlocks);
        executors.values().forEach(executor -> add(executor.last.blocks(), all));
        add(blocksOfDriver, all);
        return List.copyOf(all.values());
    }

    private static void add(List<BlockTraffic> blocks, Map<String, BlockTraffic> to) {
        blocks.forEach(each -> to.merge(each.kind(), each, BlockTraffic::plus));
    }

    /** Those that are used; executors of one host mostly agree. */
    private List<Picture.Writer> writers() {
        return executors.values().stream()
                .map(book -> book.last)
                .filter(report -> report.traffic().writer().partitions() > 0)
                .map(report -> new Picture.Writer(
                        report.host(),
                        report.traffic().writer().partitions(),
                        report.traffic().writer().bufferBytes()))
                .distinct()
                .sorted(Comparator.comparing(Picture.Writer::host).thenComparing(Picture.Writer::partitions))
                .toList();
    }

    private void forgetMostSilent() {
        var mostSilent =
                Collections.min(executors.entrySet(), Comparator.comparingLong(entry -> entry.getValue().lastMillis));
        Traffic traffic = mostSilent.getValue().last.traffic();
        forgottenRdmaBytes += traffic.rdmaBytes();
        traffic.nettyBytes().forEach((reason, bytes) -> forgottenNettyBytes.merge(reason, bytes, Long::sum));
        add(mostSilent.getValue().last.blocks(), forgottenBlocks);
        executors.remove(mostSilent.getKey());
    }

    private long rdmaBytes() {
        return forgottenRdmaBytes
                + executors.values().stream()
                        .mapToLong(executor -> executor.last.traffic().rdmaBytes())
                        .sum();
    }

    private Map<String, Long> nettyBytes() {
        Map<String, Long> all = new TreeMap<>(forgottenNettyBytes);
        executors
                .values()
                .forEach(executor -> executor.last
                        .traffic()
                        .nettyBytes()
                        .forEach((reason, bytes) -> all.merge(reason, bytes, Long::sum)));
        return all;
    }

    private List<Picture.Host> hosts(long nowMillis) {
        Map<String, List<ExecutorBook>> byHost = new TreeMap<>();
        executors
                .values()
                .forEach(executor -> byHost.computeIfAbsent(executor.last.host(), key -> new ArrayList<>())
                        .add(executor));
        List<Picture.Host> hosts = new ArrayList<>();
        byHost.forEach((name, books) -> hosts.add(new Picture.Host(
                name,
                books.size(),
                books.stream().mapToLong(book -> book.rdma.total()).sum(),
                books.stream().mapToLong(book -> book.netty.total()).sum(),
                books.stream()
                        .mapToDouble(book -> book.rdma.bytesPerSecond(nowMillis))
                        .sum(),
                books.stream()
                        .mapToDouble(book -> book.netty.bytesPerSecond(nowMillis))
                        .sum(),
                books.stream()
                        .mapToLong(book -> book.last.traffic().copiedOutBytes())
                        .sum(),
                books.stream()
                        .mapToLong(book -> book.last.traffic().forgottenBlocks())
                        .sum(),
                cables.agent(name))));
        return hosts;
    }

    private List<Picture.ExecutorLatency> latency() {
        List<Picture.ExecutorLatency> rows = new ArrayList<>();
        for (ExecutorBook executor : executors.values()) {
            ExecutorReport report = executor.last;
            new TreeMap<>(report.traffic().latency())
                    .forEach((transport, latency) -> rows.add(
                            new Picture.ExecutorLatency(report.executor(), report.host(), transport, latency)));
        }
        return rows;
    }

    private static long sum(Map<String, Long> bytes) {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
}
