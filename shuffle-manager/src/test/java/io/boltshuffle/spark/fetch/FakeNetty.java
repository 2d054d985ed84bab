package io.boltshuffle.spark.fetch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.jspecify.annotations.Nullable;

/** Stands for Spark's client. Keeps every request; answers at once with blocks of {@link #BLOCK_BYTES}, or as told. */
class FakeNetty extends BlockStoreClient {
    static final int BLOCK_BYTES = 100;

    /** One call of fetchBlocks. */
    record Request(
            BlockSource source,
            List<String> blockIds,
            BlockFetchingListener listener,
            @Nullable DownloadFileManager files) {}

    /** The answer of Netty to a request. */
    @FunctionalInterface
    interface Behaviour {
        void answer(Request request);
    }

    private final List<Request> requests = new ArrayList<>(); // guarded by this
    private volatile Behaviour behaviour =
            request -> request.blockIds().forEach(id -> request.listener().onBlockFetchSuccess(id, block(BLOCK_BYTES)));

    void behave(Behaviour behaviour) {
        this.behaviour = behaviour;
    }

    synchronized List<Request> requests() {
        return List.copyOf(requests);
    }

    /** The ids of all requests, in their order. */
    List<String> requestedBlocks() {
        return requests().stream()
                .flatMap(request -> request.blockIds().stream())
                .toList();
    }

    static ManagedBuffer block(int bytes) {
        return new NioManagedBuffer(ByteBuffer.allocate(bytes));
    }

    @Override
    public void fetchBlocks(
            String host,
            int port,
            String execId,
            String[] blockIds,
            BlockFetchingListener listener,
            @Nullable DownloadFileManager files) {
        Request request = new Request(new BlockSource(host, port, execId), List.of(blockIds), listener, files);
        synchronized (this) {
            requests.add(request);
        }
        behaviour.answer(request);
    }

    @Override
    public void close() {}
}
