package io.boltshuffle.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.spark.BoltShuffleManager;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.spark.Dependency;
import org.apache.spark.HashPartitioner;
import org.apache.spark.Partitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.shuffle.ShuffleWriteProcessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Spark's streaming shuffle beside the plugin's manager, without a streaming query around it. */
@Tag("slow")
class StreamingShufflesTest {
    private static final ClassTag<Integer> INTEGERS = ClassTag$.MODULE$.apply(Integer.class);
    private static final String DEPENDENCY = "org.apache.spark.PipelinedShuffleDependency";

    private final List<Notice> notices = new CopyOnWriteArrayList<>();
    private JavaSparkContext context;
    private Option<Object> none = Option.empty();

    /** The RDD that a query in real-time mode makes of an exchange. */
    private static final class StreamedRows extends ShuffledRDD<Integer, Integer, Integer> {
        private static final long serialVersionUID = 1;
        private final transient Dependency<?> dependency;

        StreamedRows(RDD<Tuple2<Integer, Integer>> rows, Partitioner partitioner, Dependency<?> dependency) {
            super(rows, partitioner, INTEGERS, INTEGERS, INTEGERS);
            this.dependency = dependency;
        }

        @Override
        public Seq<Dependency<?>> getDependencies() {
            return CollectionConverters.asScala(List.<Dependency<?>>of(dependency))
                    .toList();
        }
    }

    @BeforeEach
    void start() {
        context = new JavaSparkContext(new SparkConf(false)
                .setMaster("local[4]")
                .setAppName("streaming-shuffles")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.shuffle.manager", BoltShuffleManager.class.getName()));
        StreamingShuffles.listener(SparkEnv.get(), notices::add).ifPresent(context.sc()::addSparkListener);
    }

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void aJobThatUsesOneIsNoticedOnceAndEndsRight() throws Exception {
        assumeTrue(hasStreamingShuffles(), "only Spark 4.3 and later have streaming shuffles");

        for (int job = 0; job < 2; job++) {
            assertThat(JavaPairRDD.fromRDD(streamed(), INTEGERS, INTEGERS).collect())
                    .containsExactlyInAnyOrderElementsOf(rows().collect());
        }

        context.sc().listenerBus().waitUntilEmpty();
        assertThat(notices).containsExactly(StreamingShuffles.NOTICE);
    }

    @Test
    void otherShufflesAreNot() throws Exception {
        assertThat(rows().groupByKey(2).count()).isEqualTo(10);

        context.sc().listenerBus().waitUntilEmpty();
        assertThat(notices).isEmpty();
        assertThat(StreamingShuffles.listener(SparkEnv.get(), notices::add).isPresent())
                .isEqualTo(hasStreamingShuffles());
    }

    private static boolean hasStreamingShuffles() {
        return SparkEnv.class.getClassLoader().getResource(DEPENDENCY.replace('.', '/') + ".class") != null;
    }

    private JavaPairRDD<Integer, Integer> rows() {
        return context.parallelize(IntStream.range(0, 10).boxed().toList(), 2)
                .mapToPair(number -> new Tuple2<>(number, number));
    }

    private RDD<Tuple2<Integer, Integer>> streamed() throws ReflectiveOperationException {
        RDD<Tuple2<Integer, Integer>> rows = rows().rdd();
        Partitioner partitioner = new HashPartitioner(2);
        Serializer serializer = new JavaSerializer(context.getConf());
        Object dependency = Arrays.stream(Class.forName(DEPENDENCY).getConstructors())
                .findFirst()
                .orElseThrow()
                .newInstance(
                        rows,
                        partitioner,
                        serializer,
                        none,
                        none,
                        false,
                        new ShuffleWriteProcessor(),
                        java.lang.reflect.Array.newInstance(
                                Class.forName("org.apache.spark.shuffle.checksum.RowBasedChecksum"), 0),
                        INTEGERS,
                        INTEGERS,
                        INTEGERS);
        return new StreamedRows(rows, partitioner, (Dependency<?>) dependency);
    }
}
