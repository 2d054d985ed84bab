package io.boltshuffle.proof.bench.inspark;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Iterator;
import scala.collection.Seq;

/**
 * The requests by which reducers on this host would fetch a shuffle's blocks from other hosts. It runs in an executor.
 */
final class FetchRequests {
    /** Spark cuts a reducer's requests at a fifth of {@code spark.reducer.maxSizeInFlight}, which is 48 MiB. */
    private static final long REQUEST_BYTES = (48L << 20) / 5;

    /** @param blockIds of one reducer, from as many files */
    record Request(BlockManagerId server, List<String> blockIds) {}

    private FetchRequests() {}

    /** @param mostBlocks that a request has, where Spark would not ask for fewer */
    static List<Request> of(int shuffleId, ShuffleShape shape, int mostBlocks) {
        int most = (int) Math.max(1, Math.min(mostBlocks, REQUEST_BYTES / shape.blockBytes()));
        return IntStream.range(0, shape.reducers())
                .boxed()
                .flatMap(reducer -> ofReducer(shuffleId, reducer, most).stream())
                .toList();
    }

    private static List<Request> ofReducer(int shuffleId, int reducer, int mostBlocks) {
        SparkEnv env = SparkEnv.get();
        String here = env.blockManager().blockManagerId().host();
        Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> servers =
                env.mapOutputTracker().getMapSizesByExecutorId(shuffleId, 0, Integer.MAX_VALUE, reducer, reducer + 1);
        List<Request> requests = new ArrayList<>();
        while (servers.hasNext()) {
            Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>> server = servers.next();
            if (!server._1().host().equals(here)) {
                cut(server._1(), names(server._2()), mostBlocks, requests);
            }
        }
        return requests;
    }

    private static List<String> names(Seq<Tuple3<BlockId, Object, Object>> blocks) {
        List<String> names = new ArrayList<>(blocks.size());
        blocks.foreach(block -> names.add(block._1().name()));
        return names;
    }

    private static void cut(BlockManagerId server, List<String> blockIds, int most, List<Request> into) {
        for (int start = 0; start < blockIds.size(); start += most) {
            List<String> part = blockIds.subList(start, Math.min(blockIds.size(), start + most));
            into.add(new Request(server, List.copyOf(part)));
        }
    }
}
