package io.boltshuffle.spark.ui;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.boltshuffle.spark.report.AgentState;
import io.boltshuffle.spark.report.BlockMeter;
import io.boltshuffle.spark.report.BlockTraffic;
import io.boltshuffle.spark.report.ExecutorReport;
import io.boltshuffle.spark.report.ReportJson;
import io.boltshuffle.spark.report.ShuffleReported;
import io.boltshuffle.spark.report.Traffic;
import io.boltshuffle.wire.HostName;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.util.Clock;
import org.apache.spark.util.SystemClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The driver's half: it takes the executors' reports, attaches the tab, and passes a thinned selection on to the event
 * log.
 *
 * <p><b>Threads:</b> Spark calls {@link #receive} on one thread at a time.
 */
public final class ReportReceiver implements DriverPlugin {
    private static final Logger log = LoggerFactory.getLogger(ReportReceiver.class);

    private final ShuffleHistory history = new ShuffleHistory();
    private final ReportLog reportLog = new ReportLog();
    private final Clock clock = new SystemClock();
    private final Supplier<List<Notice>> onApplication;
    private final @Nullable String leftToSpark;
    private @Nullable SparkContext context;
    private List<BlockTraffic> ownBlocks = List.of(); // only receive() changes it

    /**
     * @param onApplication run when the application has its id and the driver's block manager is complete; returns what
     *     a user has to know
     * @param leftToSpark why the plugin leaves everything to this Spark, or null; then only the tab says so
     */
    public ReportReceiver(Supplier<List<Notice>> onApplication, @Nullable String leftToSpark) {
        this.onApplication = onApplication;
        this.leftToSpark = leftToSpark;
    }

    @Override
    public Map<String, String> init(SparkContext sparkContext, PluginContext plugin) {
        context = sparkContext;
        if (leftToSpark == null) {
            sparkContext.addSparkListener(new StageListener(history));
            StreamingShuffles.listener(sparkContext.env(), history::noticed).ifPresent(sparkContext::addSparkListener);
        } else {
            history.noticed(Notice.unknownSpark(leftToSpark + "."));
        }
        if (sparkContext.ui().isDefined()) {
            BoltShuffleTab.attach(sparkContext.ui().get(), this::picture, true);
        }
        return Map.of();
    }

    /** Registers totals of all executors for sinks that only the driver has, such as Spark's Prometheus servlet. */
    @Override
    public void registerMetrics(String application, PluginContext plugin) {
        if (leftToSpark != null) {
            return;
        }
        onApplication.get().forEach(history::noticed);
        MetricRegistry metrics = plugin.metricRegistry();
        metrics.register("rdmaBytes", (Gauge<Long>) () -> picture().rdmaBytes());
        metrics.register("nettyBytes", (Gauge<Long>) () -> picture().allNettyBytes());
        metrics.register("cablesUp", (Gauge<Long>)
                () -> picture().cables().stream().filter(Picture.Cable::isUp).count());
        metrics.register("cablesDown", (Gauge<Long>)
                () -> picture().cables().stream().filter(cable -> !cable.isUp()).count());
    }

    private Picture picture() {
        return history.picture(clock.getTimeMillis());
    }

    @Override
    public @Nullable Object receive(Object message) throws JsonProcessingException {
        ExecutorReport report = ReportJson.read((String) message, ExecutorReport.class);
        ShuffleReported event = new ShuffleReported(clock.getTimeMillis(), report);
        take(event);
        takeOwnBlocks(event.timeMillis());
        return null;
    }

    private void take(ShuffleReported event) {
        boolean urgent = history.reported(event);
        synchronized (reportLog) {
            reportLog.offer(event, urgent).ifPresent(this::post);
        }
    }

    /** The driver fetches results. It reports them when executors report, because results are theirs. */
    private void takeOwnBlocks(long timeMillis) {
        SparkEnv env = SparkEnv.get();
        List<BlockTraffic> blocks = env == null ? List.of() : BlockMeter.blocksOf(env);
        if (!blocks.isEmpty() && !blocks.equals(ownBlocks)) {
            ownBlocks = blocks;
            String host = HostName.plain(env.blockManager().blockManagerId().host());
            take(new ShuffleReported(
                    timeMillis,
                    new ExecutorReport(
                            ShuffleHistory.DRIVER, host, Traffic.NONE, AgentState.unknown("not asked"), blocks)));
        }
    }

    @Override
    public void shutdown() {
        synchronized (reportLog) {
            reportLog.rest().forEach(this::post);
        }
    }

    private void post(ShuffleReported event) {
        SparkContext to = context;
        if (to == null) {
            log.debug("a report before the plugin was started: {}", event);
        } else {
            to.listenerBus().post(event);
        }
    }
}
