package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.ClientCounters;
import io.boltshuffle.client.ClientStart;
import io.boltshuffle.client.FetchListener;
import io.boltshuffle.client.FetchRequest;
import io.boltshuffle.client.LayOutHandler;
import io.boltshuffle.client.Refusal;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.MeetingPlace;
import io.boltshuffle.wire.Registration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.DiskBlockManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * Moves blocks through the agent of this host.
 *
 * <p><b>Threads:</b> answers come on the client's thread, except those of fetches to disk, which come on the download
 * thread, and refusals, which may come on the thread that asks.
 */
final class AgentTransport implements RdmaTransport {

    private static final Logger log = LoggerFactory.getLogger(AgentTransport.class);

    private final AgentClient client;
    private final boolean waitsForContact;
    private final ExecutorService downloads = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "boltshuffle-download");
        thread.setDaemon(true);
        return thread;
    });

    /** @param waitsForContact whether the first fetch from a host may wait until the two agents have met */
    AgentTransport(AgentClient client, boolean waitsForContact) {
        this.client = client;
        this.waitsForContact = waitsForContact;
    }

    /** Returns the transport of this executor, or empty if no agent is wanted or none can be met. */
    static Optional<AgentTransport> open(SparkEnv env, Settings settings) {
        if (isDriver(env) || !FetchPolicies.allowRdma(env.conf(), settings)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new AgentTransport(AgentClient.open(start(env, settings)), true));
        } catch (IOException | RuntimeException | LinkageError e) { // a shuffle never fails for want of RDMA
            log.warn("No block goes by RDMA: {}", e.toString());
            log.debug("The agent's client did not open", e);
            return Optional.empty();
        }
    }

    /**
     * Opens a transport of blocks in memory, for an executor or a driver. No block waits for contact with its host: the
     * driver's host may be one that no agent answers for. Contact with that host is made from now on.
     *
     * @param handler lays blocks of this process out for other hosts
     * @throws IOException if there is no safe directory in which to meet the agent
     */
    static RdmaTransport openForBlocks(SparkEnv env, Settings settings, LayOutHandler handler) throws IOException {
        AgentClient client = AgentClient.open(start(env, settings));
        client.serve(handler);
        String driver = env.conf().get("spark.driver.host", "");
        if (!isDriver(env) && !driver.isEmpty()) {
            client.expect(List.of(driver));
        }
        return new AgentTransport(client, false);
    }

    private static boolean isDriver(SparkEnv env) {
        return "driver".equals(env.executorId());
    }

    @Override
    public Optional<FallbackReason> refusal(String host) {
        Optional<FallbackReason> refused =
                client.refusal(host).map(Refusal::reason).map(AgentTransport::fallback);
        if (refused.isEmpty() && !waitsForContact && !client.reaches(host)) {
            client.expect(List.of(host));
            return Optional.of(FallbackReason.NO_CONTACT);
        }
        return refused;
    }

    @Override
    public void fetch(
            BlockSource source, List<String> blockIds, Receiver receiver, @Nullable DownloadFileManager downloadFiles) {
        TaskContext task = TaskContext.get();
        long owner = task == null ? -1 : task.taskAttemptId();
        for (NamedBlocks blocks : NamedBlocks.of(blockIds, receiver)) {
            // One for each request: a delivery puts one block together at a time, and requests are answered in turn.
            FetchListener delivery = downloadFiles == null
                    ? new MemoryDelivery(receiver)
                    : new FileDelivery(receiver, downloadFiles, downloads);
            client.fetch(
                    new FetchRequest(source.host(), source.execId(), owner, blocks.ranges()), blocks.toldAs(delivery));
        }
    }

    @Override
    public long readAheadBytes() {
        return client.readAheadBytes();
    }

    /** Tells the agent of hosts that will be asked, so that it connects to them before a task waits for them. */
    void expect(List<String> hosts) {
        client.expect(hosts);
    }

    /** Returns the counters of the memory that blocks arrive in. Any thread may read them, even after the end. */
    ClientCounters counters() {
        return client.counters();
    }

    @Override
    public void close() {
        client.close();
        downloads.shutdown();
    }

    static FallbackReason fallback(FailureReason reason) {
        return switch (reason) {
            case AGENT_LOST, STOPPING -> FallbackReason.NO_AGENT;
            case PEER_UNREACHABLE -> FallbackReason.PEER_UNREACHABLE;
            case NO_CABLE -> FallbackReason.NO_CABLE;
            case CABLE_PULLED -> FallbackReason.CABLE_PULLED;
            case REFUSED, PROTOCOL -> FallbackReason.PEER_REFUSED;
            case LINK_FAILED -> FallbackReason.LINK_FAILED;
            case CORRUPT -> FallbackReason.CORRUPT;
            case DEADLINE -> FallbackReason.DEADLINE;
            case NO_MEMORY -> FallbackReason.NO_MEMORY;
            case UNKNOWN_BLOCK -> FallbackReason.BLOCK_NOT_FOUND;
            case UNKNOWN_EXECUTOR, READ_ERROR -> FallbackReason.BLOCK_UNAVAILABLE;
            case STORAGE_HANGS -> FallbackReason.STORAGE_HANGS;
            case OVERLOADED -> FallbackReason.OVERLOADED;
            case TOO_LARGE -> FallbackReason.TOO_LARGE;
        };
    }

    private static ClientStart start(SparkEnv env, Settings settings) {
        BlockManager blockManager = env.blockManager();
        DiskBlockManager disk = blockManager.diskBlockManager();
        Registration registration = new Registration(
                env.conf().getAppId(),
                env.executorId(),
                List.of(disk.localDirsString()),
                disk.subDirsPerLocalDir(),
                env.conf().get("spark.shuffle.manager", "sort"),
                ApplicationSecret.of(env),
                /* lastingFiles= */ !env.conf().getBoolean("spark.shuffle.useOldFetchProtocol", false));
        String root = settings.get(Options.AGENT_DIRECTORY);
        return new ClientStart(
                blockManager.blockManagerId().host(),
                root.isEmpty() ? MeetingPlace.defaultRoot() : Path.of(root),
                settings,
                registration,
                agentProperties(env.conf()),
                /* onlyWithCable= */ isDriver(env));
    }

    /**
     * Returns the settings with which an agent is started. Every user can see them in its command line, and it will
     * serve other applications, too.
     */
    static Map<String, String> agentProperties(SparkConf conf) {
        Map<String, String> own = new HashMap<>();
        for (Tuple2<String, String> property : conf.getAll()) {
            if (property._1().startsWith(Options.PREFIX) && !property._1().equals(Options.SECRET.key())) {
                own.put(property._1(), property._2());
            }
        }
        return own;
    }
}
