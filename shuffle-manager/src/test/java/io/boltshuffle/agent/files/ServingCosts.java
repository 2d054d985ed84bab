package io.boltshuffle.agent.files;

import com.sun.management.UnixOperatingSystemMXBean;
import io.boltshuffle.spark.NeverWorseTest.Case;
import io.boltshuffle.spark.NeverWorseTest.Cost;
import io.boltshuffle.spark.NeverWorseTest.Shuffle;
import io.boltshuffle.spark.NeverWorseTest.Watched;
import io.boltshuffle.testing.ShuffleFiles;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.network.shuffle.ExternalShuffleBlockResolver;
import org.apache.spark.network.shuffle.protocol.ExecutorShuffleInfo;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/**
 * Measures what serving the files of an executor costs: Spark's external shuffle service finds and reads them in one
 * process, an agent in another.
 */
public final class ServingCosts {
    private static final int SHUFFLE = 3;
    private static final int MAPS = 20;
    private static final int BLOCK_BYTES = 100;
    private static final String MANAGER = "org.apache.spark.shuffle.sort.SortShuffleManager";

    private ServingCosts() {}

    public static Stream<Case> cases() {
        return Stream.of(
                new Case(
                        Watched.OPEN_FILES,
                        "deleted map outputs that keep their room on the disk once nobody has read them for a while",
                        with(ServingCosts::outputsStillOpen)),
                new Case(
                        Watched.FAILURES,
                        "blocks that a reader gets of map outputs that were deleted",
                        with(ServingCosts::blocksOfDeletedOutputs)),
                new Case(
                        Watched.FAILURES,
                        "blocks with bytes of an output that another attempt has replaced",
                        with(ServingCosts::blocksOfReplacedOutputs)),
                new Case(
                        Watched.FAILURES,
                        "sound blocks that a reader does not get because another output's index is cut short",
                        with(ServingCosts::blocksLostBesideADamagedIndex)));
    }

    /** Finds and reads the blocks of one executor. */
    private interface Server extends AutoCloseable {
        byte[] read(BlockRange block) throws Exception;

        /** Does what is done when nobody has read for a while. */
        void idle();

        @Override
        void close();
    }

    private interface ServingCost {
        long of(Server server, ShuffleFiles files) throws Exception;
    }

    private static Cost with(ServingCost cost) {
        return (shuffle, directory) -> {
            ShuffleFiles files = new ShuffleFiles(Files.createDirectories(directory.resolve(shuffle.name())));
            for (int map = 0; map < MAPS; map++) {
                files.write(SHUFFLE, map, BLOCK_BYTES, BLOCK_BYTES);
            }
            try (Server server =
                    shuffle == Shuffle.STOCK ? new Service(files.localDir()) : new Agent(files.localDir())) {
                return cost.of(server, files);
            }
        };
    }

    private static final class Service implements Server {
        private final ExternalShuffleBlockResolver resolver;

        Service(Path localDir) throws IOException {
            resolver = new ExternalShuffleBlockResolver(
                    new TransportConf("shuffle", new MapConfigProvider(Map.of())), null);
            resolver.registerExecutor(
                    "app",
                    "1",
                    new ExecutorShuffleInfo(new String[] {localDir.toString()}, ShuffleFiles.SUB_DIRS, MANAGER));
        }

        @Override
        public byte[] read(BlockRange block) throws Exception {
            ByteBuffer bytes = resolver.getBlockData("app", "1", block.shuffleId(), block.mapId(), block.startReduce())
                    .nioByteBuffer();
            byte[] read = new byte[bytes.remaining()];
            bytes.get(read);
            return read;
        }

        @Override
        public void idle() {
            // It keeps no file open.
        }

        @Override
        public void close() {
            // It holds nothing outside the heap; its own end is for Spark's package alone.
        }
    }

    private static final class Agent implements Server {
        private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

        private final ExternalShuffleBlockSource source = new ExternalShuffleBlockSource();
        private final OpenFiles files = OpenFiles.ofProcess(IDLE_NANOS);

        Agent(Path localDir) {
            source.register(new Registration(
                    "app",
                    "1",
                    List.of(localDir.toString()),
                    ShuffleFiles.SUB_DIRS,
                    MANAGER,
                    Secret.of(new byte[0]),
                    /* lastingFiles= */ false));
        }

        @Override
        public byte[] read(BlockRange block) throws Exception {
            FileRange range = source.locate("app", "1", block);
            ByteBuffer into = ByteBuffer.allocate(Math.toIntExact(range.bytes()));
            files.read(range, into, BLOCK_BYTES, piece -> {});
            return into.array();
        }

        @Override
        public void idle() {
            files.closeIdle(System.nanoTime() + 2 * IDLE_NANOS);
        }

        @Override
        public void close() {
            files.close();
        }
    }

    private static BlockRange block(long map) {
        return new BlockRange(SHUFFLE, map, 1, 2);
    }

    private static long openFiles() {
        return ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class)
                .getOpenFileDescriptorCount();
    }

    private static long outputsStillOpen(Server server, ShuffleFiles files) throws Exception {
        server.read(block(0)); // loads classes, which opens files
        server.idle();
        long before = openFiles();
        for (int map = 0; map < MAPS; map++) {
            server.read(block(map));
            Files.delete(files.dataFile(SHUFFLE, map));
        }
        server.idle();
        return Math.max(0, openFiles() - before);
    }

    private static long blocksOfDeletedOutputs(Server server, ShuffleFiles files) throws Exception {
        long got = 0;
        for (int map = 0; map < MAPS; map++) {
            server.read(block(map));
            Files.delete(files.dataFile(SHUFFLE, map));
            Files.delete(files.indexFile(SHUFFLE, map));
            got += isRead(server, map) ? 1 : 0;
        }
        return got;
    }

    /** The other attempt's blocks have other sizes, so that an old index finds other bytes. */
    private static long blocksOfReplacedOutputs(Server server, ShuffleFiles files) throws Exception {
        long wrong = 0;
        for (int map = 0; map < MAPS; map++) {
            server.read(block(map));
            Path index = files.indexFile(SHUFFLE, map);
            Path data = files.dataFile(SHUFFLE, map);
            Files.delete(index);
            Files.delete(data);
            files.write(SHUFFLE, map, BLOCK_BYTES / 2, BLOCK_BYTES);
            wrong += isRead(server, map) && !Arrays.equals(server.read(block(map)), files.expected(block(map))) ? 1 : 0;
        }
        return wrong;
    }

    private static long blocksLostBesideADamagedIndex(Server server, ShuffleFiles files) throws Exception {
        files.writeDamaged(SHUFFLE, 0, new byte[Long.BYTES + 1], BLOCK_BYTES);
        long lost = isRead(server, 0) ? MAPS : 0;
        for (int map = 1; map < MAPS; map++) {
            lost += isRead(server, map) ? 0 : 1;
        }
        return lost;
    }

    private static boolean isRead(Server server, long map) {
        try {
            server.read(block(map));
            return true;
        } catch (Exception e) {
            return false;
        }
    }
}
