package io.boltshuffle.spark.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.spark.fetch.LiveRoutes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.network.BlockDataManager;
import org.apache.spark.network.BlockTransferService;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.DownloadFile;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.apache.spark.network.util.TransportConf;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.concurrent.Future;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.BoxedUnit;

class BoltBlockTransferTest {

    private final RecordingService netty = new RecordingService();
    private final LiveRoutes routes = new LiveRoutes();
    private final BlockMetrics metrics = new BlockMetrics();
    private final BoltBlockTransfer service =
            new BoltBlockTransfer(netty, routes.route(), layer(), metrics, () -> false);

    private BlockLayer layer() {
        return new BlockLayer(id -> new NioManagedBuffer(ByteBuffer.allocate(1)), metrics);
    }

    /** Stands for Spark's own service; every block has one byte. */
    static final class RecordingService extends BlockTransferService {
        final List<String> calls = new ArrayList<>();

        @Override
        public void init(BlockDataManager blocks) {
            calls.add("init");
        }

        @Override
        public int port() {
            return 7;
        }

        @Override
        public String hostName() {
            return "here";
        }

        @Override
        public ManagedBuffer fetchBlockSync(
                String host, int port, String execId, String blockId, @Nullable DownloadFileManager files) {
            calls.add("fetch " + blockId);
            return new NioManagedBuffer(ByteBuffer.allocate(1));
        }

        @Override
        public void fetchBlocks(
                String host,
                int port,
                String execId,
                String[] blockIds,
                BlockFetchingListener listener,
                @Nullable DownloadFileManager files) {
            calls.add("fetch " + String.join(" ", blockIds));
        }

        @Override
        public Future<BoxedUnit> uploadBlock(
                String host,
                int port,
                String execId,
                BlockId blockId,
                ManagedBuffer block,
                StorageLevel level,
                ClassTag<?> classTag) {
            calls.add("upload " + blockId.name());
            return Future.successful(BoxedUnit.UNIT);
        }

        /** The form of this method in Spark 4.3 and later. */
        @SuppressWarnings("unused") // called by a handle
        public Future<BoxedUnit> uploadBlock(
                String host,
                int port,
                String execId,
                BlockId blockId,
                ManagedBuffer block,
                StorageLevel level,
                ClassTag<?> classTag,
                Option<Object> checksum,
                boolean verifySealedChecksum) {
            calls.add("upload " + blockId.name() + " with " + checksum + " " + verifySealedChecksum);
            return Future.successful(BoxedUnit.UNIT);
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }

    /** Wants every block in a file. */
    private static final class NoFiles implements DownloadFileManager {
        @Override
        public DownloadFile createTempFile(TransportConf conf) {
            throw new IllegalStateException("a file for a block that Netty brings");
        }

        @Override
        public boolean registerTempFileToClean(DownloadFile file) {
            return false;
        }
    }

    private ManagedBuffer fetch(String blockId, @Nullable DownloadFileManager files) {
        return service.fetchBlockSync("there", 1, "7", blockId, files);
    }

    private long count(String metric) {
        return metrics.metricRegistry().counter(metric).getCount();
    }

    @Test
    void aCachedPartitionComesByRdmaAndIsReadInPlace() throws Exception {
        routes.deliver(new byte[] {1, 2, 3});

        try (InputStream stream = fetch("rdd_1_2", null).createInputStream()) {
            assertThat(stream.read()).isEqualTo(1);
            assertThat(routes.held()).isEqualTo(1);
            assertThat(stream.readAllBytes()).containsExactly(2, 3);
        }

        assertThat(routes.held()).isZero();
        assertThat(netty.calls).isEmpty();
        assertThat(count("bytes.rdma.cached")).isEqualTo(3);
        assertThat(count("blocks.rdma.cached")).isEqualTo(1);
    }

    @Test
    void whatRdmaDoesNotBringNettyDoes() {
        routes.refuse();

        assertThat(fetch("broadcast_1_piece1", null).size()).isEqualTo(1);

        assertThat(netty.calls).containsExactly("fetch broadcast_1_piece1");
        assertThat(count("fallbacks.block_unavailable")).isEqualTo(1);
        assertThat(count("bytes.netty.broadcast")).isEqualTo(1);
    }

    @Test
    void theFirstPieceOfABroadcastComesByNettyUntilAnotherWasAskedFor() throws Exception {
        routes.deliver(new byte[] {1, 2, 3});

        assertThat(fetch("broadcast_1_piece0", null).size()).isEqualTo(1);
        assertThat(fetch("broadcast_1_piece2", null).nioByteBuffer().remaining())
                .isEqualTo(3);
        assertThat(fetch("broadcast_1_piece0", null).nioByteBuffer().remaining())
                .isEqualTo(3);

        assertThat(netty.calls).containsExactly("fetch broadcast_1_piece0");
        assertThat(count("firstPieces")).isEqualTo(1);
        assertThat(count("blocks.rdma.broadcast")).isEqualTo(2);
    }

    @Test
    void whatSparkWantsInAFileAndWhatHasAnotherNameIsNotAskedFor() {
        assertThat(fetch("rdd_1_2", new NoFiles()).size()).isEqualTo(1);
        assertThat(fetch("broadcast_1", null).size()).isEqualTo(1);

        assertThat(routes.requests()).isZero();
        assertThat(netty.calls).containsExactly("fetch rdd_1_2", "fetch broadcast_1");
        assertThat(count("fallbacks.too_large")).isEqualTo(1);
        assertThat(count("bytes.netty.other")).isEqualTo(1);
    }

    @Test
    void aTransportThatBreaksCostsNoBlock() {
        routes.breakDown();

        assertThat(fetch("taskresult_5", null).size()).isEqualTo(1);

        assertThat(count("fallbacks.transport_error")).isEqualTo(1);
    }

    @Test
    void uploadsAreSparksAndAreCounted() throws IOException {
        assumeFalse(hasChecksums(), "Spark 4.3 and later have another method");
        ManagedBuffer block = new NioManagedBuffer(ByteBuffer.allocate(5));

        service.uploadBlockSync(
                "there", 1, "7", BlockId.apply("rdd_1_2"), block, StorageLevel.MEMORY_ONLY(), ClassTag$.MODULE$.Byte());

        assertThat(netty.calls).containsExactly("upload rdd_1_2");
        assertThat(count("uploads.bytes")).isEqualTo(5);
        assertThat(service.port()).isEqualTo(7);
        assertThat(service.hostName()).isEqualTo("here");
    }

    @Test
    void checksumsOfUploadedPartitionsReachSparksOwnService() {
        assumeTrue(hasChecksums(), "only Spark 4.3 and later upload checksums");
        ManagedBuffer block = new NioManagedBuffer(ByteBuffer.allocate(5));

        service.uploadBlock(
                "there",
                1,
                "7",
                BlockId.apply("rdd_1_2"),
                block,
                StorageLevel.MEMORY_ONLY_SER(),
                ClassTag$.MODULE$.Byte(),
                Option.apply(17L),
                true);

        assertThat(netty.calls).containsExactly("upload rdd_1_2 with Some(17) true");
        assertThat(count("uploads.bytes")).isEqualTo(5);
    }

    private static boolean hasChecksums() {
        return Arrays.stream(BlockTransferService.class.getMethods())
                .anyMatch(method -> method.getName().equals("uploadBlock") && method.getParameterCount() == 9);
    }

    /** The block manager closes its block store client itself, which is the same object without a shuffle service. */
    @Test
    void itClosesSparksOwnServiceOnlyIfNobodyElseDoes() throws IOException {
        service.close();
        assertThat(netty.calls).isEmpty();

        new BoltBlockTransfer(netty, routes.route(), layer(), metrics, () -> true).close();

        assertThat(netty.calls).containsExactly("close");
    }
}
