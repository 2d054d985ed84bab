package io.boltshuffle.spark.fetch;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.storage.BlockManager;

/**
 * A field of Spark's block manager that holds what blocks are fetched with. Spark has no setting for it: the block
 * manager keeps what it was made with in a final field, in all supported versions. The field is set by reflection,
 * which the JDK allows for classes that are in no module; JDK 26 warns, and later ones will refuse. It has to be set
 * before the first task, because readers take what they fetch with from there.
 */
public final class BlockManagerField {
    static final String NETTY = "org.apache.spark.network.netty.NettyBlockTransferService";
    static final String EXTERNAL = "org.apache.spark.network.shuffle.ExternalBlockStoreClient";

    private final BlockManager manager;
    private final Field field;
    private final Function<BlockManager, BlockStoreClient> reading;

    private BlockManagerField(BlockManager manager, Field field, Function<BlockManager, BlockStoreClient> reading) {
        this.manager = manager;
        this.field = field;
        this.reading = reading;
    }

    /**
     * Returns the field of the client with which every shuffle manager's readers fetch blocks.
     *
     * @throws ReflectiveOperationException if it cannot be set
     * @throws IllegalStateException if something else than Spark's own is there
     */
    public static BlockManagerField blockStoreClient(BlockManager manager) throws ReflectiveOperationException {
        return of(manager, "blockStoreClient", BlockManager::blockStoreClient, List.of(NETTY, EXTERNAL));
    }

    /** Says why readers cannot be made to fetch with another client. */
    public static Optional<String> obstacleToFetches(BlockManager manager) {
        try {
            blockStoreClient(manager);
            return Optional.empty();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return Optional.of(e.toString());
        }
    }

    /**
     * Returns the field by which the block manager itself fetches blocks.
     *
     * @throws ReflectiveOperationException if it cannot be set
     * @throws IllegalStateException if something else than Spark's own is there
     */
    public static BlockManagerField blockTransferService(BlockManager manager) throws ReflectiveOperationException {
        return of(manager, "blockTransferService", BlockManager::blockTransferService, List.of(NETTY));
    }

    private static BlockManagerField of(
            BlockManager manager, String name, Function<BlockManager, BlockStoreClient> reading, List<String> sparksOwn)
            throws ReflectiveOperationException {
        requireSparksOwn(name, reading.apply(manager), sparksOwn);
        Field field = BlockManager.class.getDeclaredField(name);
        field.setAccessible(true);
        return new BlockManagerField(manager, field, reading);
    }

    /** Another one in its place may not leave to Netty what it was made for. */
    static void requireSparksOwn(String name, BlockStoreClient found, List<String> sparksOwn) {
        if (!sparksOwn.contains(found.getClass().getName())) {
            throw new IllegalStateException("the " + name + " of Spark's block manager is a "
                    + found.getClass().getName() + ", not Spark's own");
        }
    }

    /** @throws IllegalStateException if it has no effect */
    public void set(BlockStoreClient ours) throws IllegalAccessException {
        field.set(manager, ours);
        if (reading.apply(manager) != ours) {
            throw new IllegalStateException(field.getName() + " of Spark's block manager was set in vain");
        }
    }
}
