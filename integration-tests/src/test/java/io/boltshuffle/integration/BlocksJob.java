package io.boltshuffle.integration;

import static io.boltshuffle.integration.PlacedTasks.content;
import static io.boltshuffle.integration.PlacedTasks.sum;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.StorageLevels;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/**
 * Jobs whose tasks, on the reading host, want blocks in the memory of the serving one: pieces of a broadcast of the
 * driver, which is there, or partitions that are cached there; or whose large results the driver wants from the reading
 * host. Each returns checksums of what its tasks found, by their number.
 */
final class BlocksJob {

    private static final int MIB = 1 << 20;
    private static final int FRAME_BYTES = 4096;
    private static final int TASKS = 4;

    /** No block that these jobs move by RDMA has fewer frames: a broadcast is cut in pieces of so much. */
    static final int BLOCK_FRAMES = 4 * MIB / FRAME_BYTES;

    private final JavaSparkContext context;

    BlocksJob(JavaSparkContext context) {
        this.context = context;
    }

    /** A kind of such a job. */
    interface Kind {
        /** Makes what the tasks want, where another job has not. */
        Ready in(BlocksJob job);
    }

    /** A job that has all that it wants. */
    interface Ready {
        Map<Integer, Long> run();
    }

    private static int bytes(int task) {
        return 4 * MIB + task;
    }

    Map<Integer, Long> expected() {
        return IntStream.range(0, TASKS)
                .boxed()
                .collect(Collectors.toMap(task -> task, task -> sum(content(bytes(task)))));
    }

    /** Each task wants all pieces of a broadcast. */
    Ready ofABroadcast() {
        List<byte[]> all =
                IntStream.range(0, TASKS).mapToObj(task -> content(bytes(task))).toList();
        Broadcast<byte[][]> broadcast = context.broadcast(all.toArray(new byte[0][]));
        return () -> {
            try {
                return onReader(task -> sum(broadcast.value()[task]));
            } finally {
                broadcast.destroy();
            }
        };
    }

    /** Each task wants a cached partition. */
    Ready ofCachedPartitions() {
        JavaRDD<byte[]> cached = PlacedTasks.on(context, AgentPair.SERVER, TASKS)
                .map(partition -> content(bytes(partition)))
                .persist(StorageLevels.MEMORY_ONLY_SER);
        assertThat(cached.count()).isEqualTo(TASKS);
        RDD<byte[]> blocks = cached.rdd();
        Partition[] partitions = blocks.partitions();
        return () -> {
            try {
                return onReader(task ->
                        sum(blocks.iterator(partitions[task], TaskContext.get()).next()));
            } finally {
                cached.unpersist(/* blocking= */ false);
            }
        };
    }

    /** The driver wants the result of each task. */
    Ready ofLargeResults() {
        return () -> {
            List<byte[]> results = PlacedTasks.on(context, AgentPair.READER, TASKS)
                    .map(task -> content(bytes(task)))
                    .collect();
            return IntStream.range(0, TASKS)
                    .boxed()
                    .collect(Collectors.toMap(task -> task, task -> sum(results.get(task))));
        };
    }

    /** Work of a task. */
    private interface Work extends Serializable {
        long run(int task);
    }

    private Map<Integer, Long> onReader(Work work) {
        return PlacedTasks.on(context, AgentPair.READER, TASKS)
                .mapToPair(task -> new Tuple2<>(task, work.run(task)))
                .collectAsMap();
    }
}
