package io.boltshuffle.proof.bench.inspark;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** The hosts of an application with one executor on each, by name, and that executor's process id. */
public record ExecutorHosts(JavaSparkContext spark, Map<String, Long> processes) {
    /** There are enough tasks that every executor gets one, however Spark distributes them. */
    private static final int TASKS_PER_CORE = 8;

    /** Work to run in an executor. */
    public interface Work<T> extends Supplier<T>, Serializable {}

    /** Finds the executors of an application that has one on each of at least two hosts. */
    public static ExecutorHosts find(JavaSparkContext spark) {
        Map<String, Long> processes = onAll(spark, () -> ProcessHandle.current().pid());
        if (processes.size() < 2) {
            throw new IllegalStateException("two hosts are needed, and these run tasks: " + processes.keySet());
        }
        return new ExecutorHosts(spark, processes);
    }

    /** Returns the hosts, in the order of their names. */
    public List<String> names() {
        return List.copyOf(processes.keySet());
    }

    /** Returns the executors' processes, in the order of their hosts. */
    public List<Long> processIds() {
        return List.copyOf(processes.values());
    }

    /** Returns what all executors did on their heaps since they started. */
    HeapFigures heaps() {
        return onAll(spark, () -> Passage.toBytes(HeapFigures.ofThisProcess())).values().stream()
                .map(figures -> Passage.fromBytes(figures, HeapFigures.class))
                .reduce(HeapFigures.NONE, HeapFigures::plus);
    }

    /** Runs the work at least once on every host, and returns its last result of each. */
    private static <T> Map<String, T> onAll(JavaSparkContext spark, Work<T> work) {
        int tasks = spark.defaultParallelism() * TASKS_PER_CORE;
        Map<String, T> results = new TreeMap<>();
        spark.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
                .map(any -> new Tuple2<>(here(), work.get()))
                .collect()
                .forEach(host -> results.put(host._1(), host._2()));
        return results;
    }

    /** Runs the work as a task on the first host, and on no other. */
    public <T extends Serializable> T runOnFirst(Class<T> type, Work<T> work) {
        String host = names().get(0);
        ClassTag<Integer> tag = ClassTag$.MODULE$.apply(Integer.class);
        Seq<String> preferred = CollectionConverters.asScala(List.of(host)).toSeq();
        Seq<Tuple2<Integer, Seq<String>>> placed = CollectionConverters.asScala(List.of(new Tuple2<>(0, preferred)))
                .toSeq();
        byte[] result = spark.sc()
                .makeRDD(placed, tag)
                .toJavaRDD()
                .map(any -> {
                    if (!here().equals(host)) {
                        throw new IllegalStateException("a task for " + host + " came to " + here());
                    }
                    return Passage.toBytes(work.get());
                })
                .collect()
                .get(0);
        return Passage.fromBytes(result, type);
    }

    private static String here() {
        return SparkEnv.get().blockManager().blockManagerId().host();
    }
}
