package io.boltshuffle.spark.block;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.fetch.BlockManagerField;
import io.boltshuffle.spark.fetch.LiveRoute;
import java.util.function.Supplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.BlockTransferService;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockInfo;
import org.apache.spark.storage.BlockInfoManager;
import org.apache.spark.storage.BlockManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * Puts {@link BoltBlockTransfer} in front of Spark's own service.
 *
 * <p>{@link BlockManagerField} says how. It holds from the plugin's start, before the executor's first task; on the
 * driver from the moment at which the application has its id. A driver meets its agent then, too, because nothing tells
 * when it makes a large broadcast; an executor does once it asks for a block or holds some itself.
 *
 * <p><b>Threads:</b> {@link #install} is called once, by the thread that starts Spark's plugins; the rest from any.
 */
public final class BlockServices {
    private static final Logger log = LoggerFactory.getLogger(BlockServices.class);

    /** A process that holds no more than this, as task binaries and settings, has nothing that others would miss. */
    private static final long WORTH_SERVING_BYTES = 1 << 20;

    private BlockServices() {}

    /**
     * Installs the service, if the settings want RDMA at all. Whatever stands against it leaves Spark's own service
     * where it is, and is logged in one line.
     *
     * @param plugins reads the plugin's settings, or throws if one of them is illegal
     */
    public static void install(SparkEnv env, Supplier<Settings> plugins) {
        BlockManager manager = env.blockManager();
        BlockTransferService netty = manager.blockTransferService();
        if (netty instanceof BoltBlockTransfer) {
            return;
        }
        BoltBlockTransfer ours = null;
        try {
            Settings settings = plugins.get();
            if (!settings.get(Options.ENABLED)) {
                return;
            }
            BlockManagerField field = BlockManagerField.blockTransferService(manager);
            ours = of(env, settings, netty);
            env.metricsSystem().registerSource(ours.metrics());
            field.set(ours);
            log.info("Broadcasts, cached partitions and results go by RDMA where it reaches");
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            log.warn(
                    "Broadcasts, cached partitions and results go by Netty as with {}=shuffle: {}",
                    Options.BLOCKS.key(),
                    e.toString());
            log.debug("The block transfer service was not put in place", e);
            if (ours != null) {
                ours.closeRoute();
            }
        }
    }

    /** Lets other processes ask for blocks of this one from now on, if the service is installed. */
    public static void serve(SparkEnv env) {
        if (env.blockManager().blockTransferService() instanceof BoltBlockTransfer ours) {
            ours.route().serve();
        }
    }

    /** Does what {@link #serve} does, but only if this process holds blocks that others may want. */
    public static void serveWhatIsHeld(SparkEnv env) {
        BlockManager manager = env.blockManager();
        if (manager.blockTransferService() instanceof BoltBlockTransfer ours
                && !ours.route().serves()
                && heldBytes(manager.blockInfoManager()) > WORTH_SERVING_BYTES) {
            ours.route().serve();
        }
    }

    /** Returns the size of all blocks in memory and in the disk store. */
    private static long heldBytes(BlockInfoManager blocks) {
        long bytes = 0;
        Iterator<Tuple2<BlockId, BlockInfo>> all = blocks.entries();
        while (all.hasNext()) {
            bytes += all.next()._2().size();
        }
        return bytes;
    }

    private static BoltBlockTransfer of(SparkEnv env, Settings settings, BlockTransferService netty) {
        BlockManager manager = env.blockManager();
        BlockMetrics metrics = new BlockMetrics();
        BlockLayer layer = new BlockLayer(manager::getLocalBlockData, metrics);
        LiveRoute route = LiveRoute.of(env, settings, layer);
        return new BoltBlockTransfer(netty, route, layer, metrics, () -> manager.blockStoreClient() != netty);
    }
}
