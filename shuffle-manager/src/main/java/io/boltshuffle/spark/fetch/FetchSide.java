package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.ClientCounters;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.conf.ShufflesChoice;
import io.boltshuffle.spark.fetch.RoutingBlockStoreClient.Routing;
import io.boltshuffle.spark.meter.ShuffleMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.util.SystemClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds what a process needs to fetch shuffles, by whichever manager they were written. The first shuffle of the
 * plugin's manager opens it; beside another manager, an executor's first task does, because its output may be read.
 *
 * <p>There are two ways to it, and a process takes one: the plugin's manager hands the client to its own readers, or,
 * for the readers of any other manager, the plugin sets it in Spark's block manager.
 *
 * <p><b>Threads:</b> safe from any.
 *
 * <p><b>Ownership:</b> owns the transport and the fallback threads; the BlockManager owns Spark's own client. One that
 * is installed is the BlockManager's, which closes it with its client.
 */
public final class FetchSide implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FetchSide.class);

    private final SparkEnv env;
    private final Settings settings;
    private final boolean filesAreSparks;
    private final BlockStoreClient stock;
    private final RoutingBlockStoreClient client;
    private volatile @Nullable Parts opened; // written under this object's lock
    private boolean closed; // guarded by this
    private boolean isComplaintLogged; // guarded by this

    /**
     * Holds what is open.
     *
     * @param sources tells the agent, if there is one, of hosts that will be asked
     */
    private record Parts(Routing routing, Optional<FutureSources> sources) {
        FetchServices services() {
            return routing.services();
        }
    }

    /** Creates a fetch side for the readers of the plugin's manager. */
    public FetchSide(SparkEnv env, Settings settings) {
        this(env, settings, /* filesAreSparks= */ true);
    }

    private FetchSide(SparkEnv env, Settings settings, boolean filesAreSparks) {
        this.env = env;
        this.settings = settings;
        this.filesAreSparks = filesAreSparks;
        this.stock = env.blockManager().blockStoreClient();
        this.client = new RoutingBlockStoreClient(stock, this::routing, this);
    }

    /**
     * Has every reader of this executor fetch with the plugin's client, if the settings want that. Whatever stands
     * against it leaves Spark's own where it is, and is logged in one line.
     *
     * @param plugins reads the plugin's settings, or throws if one of them is illegal
     * @param shuffleManager for the log
     * @param filesAreSparks whether its outputs are known to be in Spark's files
     */
    public static Optional<FetchSide> install(
            SparkEnv env, Supplier<Settings> plugins, String shuffleManager, boolean filesAreSparks) {
        try {
            Settings settings = plugins.get();
            if (!settings.get(Options.ENABLED) || settings.get(Options.SHUFFLES) != ShufflesChoice.ANY) {
                return Optional.empty();
            }
            BlockManagerField field = BlockManagerField.blockStoreClient(env.blockManager());
            FetchSide side = new FetchSide(env, settings, filesAreSparks);
            field.set(side.client);
            log.info("Shuffles of {} go by RDMA where it reaches", shuffleManager);
            return Optional.of(side);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            log.warn("Shuffles of {} go by Netty as without the plugin: {}", shuffleManager, e.toString());
            log.debug("The block store client was not put in place", e);
            return Optional.empty();
        }
    }

    /** Returns the one that is installed in this process. */
    public static Optional<FetchSide> installedIn(BlockManager manager) {
        return manager.blockStoreClient() instanceof RoutingBlockStoreClient ours
                ? Optional.ofNullable(ours.side())
                : Optional.empty();
    }

    /** Returns the client that readers fetch with. */
    public RoutingBlockStoreClient client() {
        return client;
    }

    /** Returns the counts of this process, which exist from the first shuffle on. */
    public ShuffleMetrics metrics() {
        return opened().services().metrics();
    }

    /** Returns how many bytes of blocks all tasks may request ahead of what they read. */
    public long readAheadBytes() {
        return opened().services().transport().readAheadBytes();
    }

    /** Tells that a task begins which may write for a shuffle. It does not wait, and never fails. */
    public void onTask() {
        Parts now = openedIfPossible();
        if (now != null) {
            now.sources().ifPresent(FutureSources::announce);
        }
    }

    /** Returns how blocks are fetched; null if that cannot be opened, and all go by Spark's own client. */
    private @Nullable Routing routing() {
        Parts now = openedIfPossible();
        return now == null ? null : now.routing();
    }

    private @Nullable Parts openedIfPossible() {
        try {
            return opened();
        } catch (RuntimeException | LinkageError e) { // a shuffle never fails for want of RDMA
            complain(e);
            return null;
        }
    }

    private synchronized void complain(Throwable e) {
        if (!isComplaintLogged) {
            isComplaintLogged = true;
            log.warn("Shuffle blocks go by Netty: {}", e.toString());
        }
        log.debug("What fetches by RDMA did not open", e);
    }

    private Parts opened() {
        Parts now = opened;
        return now == null ? open() : now;
    }

    private synchronized Parts open() {
        Parts now = opened;
        if (now != null) {
            return now;
        }
        if (closed) {
            throw new IllegalStateException("this executor stops");
        }
        FallbackLanes fallbacks = FallbackLanes.open();
        Optional<AgentTransport> agent = AgentTransport.open(env, settings);
        RdmaTransport transport = agent.isPresent() ? agent.get() : new NoAgentTransport();
        try {
            ShuffleMetrics metrics =
                    new ShuffleMetrics(agent.map(AgentTransport::counters).orElseGet(ClientCounters::new));
            FetchServices services =
                    new FetchServices(stock, transport, metrics, new RouteLog(), fallbacks, new SystemClock());
            List<FetchPolicy> policies = new ArrayList<>(FetchPolicies.chain(env.conf(), settings, transport));
            if (!filesAreSparks) {
                policies.add(services.elsewhere());
            }
            now = new Parts(
                    new Routing(services, policies),
                    agent.map(reached -> FutureSources.of(env.blockManager(), reached::expect)));
            env.metricsSystem().registerSource(metrics); // last: what fails before is tried again with other metrics
            opened = now;
            return now;
        } catch (RuntimeException | Error e) {
            if (now != null) {
                now.sources().ifPresent(FutureSources::close);
            }
            transport.close();
            fallbacks.close();
            throw e;
        }
    }

    /** Ends running fetches by handing their blocks to Spark's own client. */
    @Override
    public synchronized void close() {
        closed = true;
        Parts now = opened;
        if (now != null) {
            now.sources().ifPresent(FutureSources::close);
            now.services().transport().close();
            now.services().fallbacks().close();
        }
    }
}
