package io.boltshuffle.spark.block;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.fetch.LiveRoute;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.function.Supplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.BlockTransferService;
import org.apache.spark.storage.BlockManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts {@link BoltBlockTransfer} in front of Spark's own service.
 *
 * <p>Spark has no setting for it: {@code SparkEnv} makes its own service in all supported versions, and the block
 * manager keeps it in a final field. That field is set by reflection, which the JDK allows for classes that are in no
 * module; JDK 26 warns, and later ones will refuse. It holds from the plugin's start, before the executor's first task;
 * on the driver from the moment at which the application has its id.
 *
 * <p><b>Threads:</b> called once, by the thread that starts Spark's plugins.
 */
public final class BlockServices {
    private static final Logger log = LoggerFactory.getLogger(BlockServices.class);

    private static final String FIELD = "blockTransferService";
    private static final String SPARKS_OWN = "org.apache.spark.network.netty.NettyBlockTransferService";

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
            requireSparksOwn(netty);
            Field field = BlockManager.class.getDeclaredField(FIELD);
            field.setAccessible(true);
            ours = open(env, settings, netty);
            env.metricsSystem().registerSource(ours.metrics());
            field.set(manager, ours);
            if (manager.blockTransferService() != ours) {
                throw new IllegalStateException("the field of Spark's block manager was set in vain");
            }
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

    /** Another service in its place may not leave to Netty what it was made for. */
    static void requireSparksOwn(BlockTransferService found) {
        if (!found.getClass().getName().equals(SPARKS_OWN)) {
            throw new IllegalStateException(
                    "Spark's block transfer service is a " + found.getClass().getName() + ", not Spark's own");
        }
    }

    private static BoltBlockTransfer open(SparkEnv env, Settings settings, BlockTransferService netty)
            throws IOException {
        BlockManager manager = env.blockManager();
        BlockMetrics metrics = new BlockMetrics();
        BlockLayer layer = new BlockLayer(manager::getLocalBlockData, metrics);
        LiveRoute route = LiveRoute.open(env, settings, layer);
        return new BoltBlockTransfer(netty, route, layer, metrics, manager.blockStoreClient() != netty);
    }
}
