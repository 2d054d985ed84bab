package io.boltshuffle.spark.block;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.fetch.BlockManagerField;
import io.boltshuffle.spark.fetch.LiveRoute;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.BlockTransferService;
import org.apache.spark.storage.BlockManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts {@link BoltBlockTransfer} in front of Spark's own service.
 *
 * <p>{@link BlockManagerField} says how. It holds from the plugin's start, before the executor's first task; on the
 * driver from the moment at which the application has its id.
 *
 * <p><b>Threads:</b> called once, by the thread that starts Spark's plugins.
 */
public final class BlockServices {
    private static final Logger log = LoggerFactory.getLogger(BlockServices.class);

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
            ours = open(env, settings, netty);
            env.metricsSystem().registerSource(ours.metrics());
            field.set(ours);
            log.info("Broadcasts, cached partitions and results go by RDMA where it reaches");
        } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
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

    private static BoltBlockTransfer open(SparkEnv env, Settings settings, BlockTransferService netty)
            throws IOException {
        BlockManager manager = env.blockManager();
        BlockMetrics metrics = new BlockMetrics();
        BlockLayer layer = new BlockLayer(manager::getLocalBlockData, metrics);
        LiveRoute route = LiveRoute.open(env, settings, layer);
        return new BoltBlockTransfer(netty, route, layer, metrics, () -> manager.blockStoreClient() != netty);
    }
}
