package io.boltshuffle.spark;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.block.BlockServices;
import io.boltshuffle.spark.fetch.FetchSide;
import io.boltshuffle.spark.meter.ShuffleMetrics;
import io.boltshuffle.spark.report.AgentReader;
import io.boltshuffle.spark.report.AgentState;
import io.boltshuffle.spark.report.BlockMeter;
import io.boltshuffle.spark.report.ExecutorReport;
import io.boltshuffle.spark.report.RecentAgentState;
import io.boltshuffle.spark.report.ReportJson;
import io.boltshuffle.spark.report.Traffic;
import io.boltshuffle.spark.report.TrafficMeter;
import io.boltshuffle.spark.start.SparkSettings;
import io.boltshuffle.wire.HostName;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.metrics.source.Source;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.Iterator;

/**
 * The executor's half of the plugin: it starts what goes by RDMA without the plugin's manager, and sends reports to the
 * driver, soon after a task ended and every few seconds, if there is news.
 *
 * <p><b>Threads:</b> Spark's threads only wake this object's own.
 */
final class ReportSender implements ExecutorPlugin {
    private static final Logger log = LoggerFactory.getLogger(ReportSender.class);
    private static final long PERIOD_MILLIS = 2_000;
    /** This delay makes few reports of many short tasks. */
    private static final long AFTER_TASK_MILLIS = 200;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread reporter = new Thread(task, "boltshuffle-report");
        reporter.setDaemon(true);
        return reporter;
    });
    private final AtomicBoolean awake = new AtomicBoolean();
    private @Nullable PluginContext context; // set by init, before anything else runs
    private @Nullable FetchSide fetches; // set by init; null unless the shuffles of another manager go by RDMA
    private boolean servesBlocks; // set by init
    private String last = ""; // confined to the thread
    private @Nullable RecentAgentState agent; // confined to the thread

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // report() catches what may go wrong
    public void init(PluginContext pluginContext, Map<String, String> settings) {
        context = pluginContext;
        startTransports();
        thread.scheduleWithFixedDelay(this::report, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** An executor in the driver's process has the driver's block manager. */
    private void startTransports() {
        SparkEnv env = SparkEnv.get();
        if ("driver".equals(env.executorId())) {
            return;
        }
        fetches = OtherManager.of(env.conf())
                .flatMap(manager -> manager.install(env))
                .orElse(null);
        servesBlocks = SparkSettings.wantAllBlocks(env.conf());
        if (servesBlocks) {
            BlockServices.install(env, () -> SparkSettings.of(env.conf()));
        }
    }

    /** The task may write for a shuffle: what is to be read by RDMA needs an agent that knows its executor. */
    @Override
    public void onTaskStart() {
        if (fetches != null) {
            fetches.onTask();
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // as above
    public void onTaskSucceeded() {
        if (awake.compareAndSet(false, true)) {
            thread.schedule(this::report, AFTER_TASK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void shutdown() {
        thread.shutdownNow();
    }

    /** Reports. A failure here must never trouble the job. */
    private void report() {
        awake.set(false);
        PluginContext to = context;
        SparkEnv env = SparkEnv.get();
        if (to == null || env == null || env.blockManager().blockManagerId() == null) {
            return; // not complete yet, or already stopped
        }
        try {
            if (servesBlocks) {
                BlockServices.serveWhatIsHeld(env);
            }
            // As texts they are compared without the code that a record's equals() makes when it is first called.
            String report = ReportJson.write(read(env));
            if (!report.equals(last)) {
                to.send(report);
                last = report;
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            log.debug("No report this time", e);
        }
    }

    private ExecutorReport read(SparkEnv env) {
        String host = HostName.plain(env.blockManager().blockManagerId().host());
        return new ExecutorReport(env.executorId(), host, traffic(env), agent(env, host), BlockMeter.blocksOf(env));
    }

    private AgentState agent(SparkEnv env, String host) {
        if (agent == null) {
            Settings settings = SparkSettings.of(env.conf());
            if (!settings.get(Options.ENABLED) || "driver".equals(env.executorId())) {
                return AgentState.unknown("not used");
            }
            String root = settings.get(Options.AGENT_DIRECTORY);
            AgentReader reader = new AgentReader(root.isEmpty() ? MeetingPlace.defaultRoot() : Path.of(root), host);
            agent = new RecentAgentState(reader::read, System::nanoTime);
        }
        return agent.get();
    }

    /** Reads the meter, which exists from the first shuffle task on. */
    private static Traffic traffic(SparkEnv env) {
        Iterator<Source> sources =
                env.metricsSystem().getSourcesByName(ShuffleMetrics.SOURCE_NAME).iterator();
        while (sources.hasNext()) {
            if (sources.next() instanceof TrafficMeter meter) {
                return meter.traffic();
            }
        }
        return Traffic.NONE;
    }
}
