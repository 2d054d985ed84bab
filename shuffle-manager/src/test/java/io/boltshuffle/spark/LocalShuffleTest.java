package io.boltshuffle.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.Aggregator;
import org.apache.spark.HashPartitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Function1;
import scala.Function2;
import scala.Tuple2;
import scala.math.Ordering;
import scala.math.Ordering$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** The reader in one process, for every way in which a dependency can ask for its records. */
@Tag("slow")
class LocalShuffleTest {
    private static final int KEYS = 100;
    private static final int PER_KEY = 20;
    private static final int PARTITIONS = 3;
    private static final ClassTag<Integer> INTEGERS = ClassTag$.MODULE$.apply(Integer.class);

    private static JavaSparkContext context;

    @BeforeAll
    static void start() {
        context = new JavaSparkContext(new SparkConf(false)
                .setMaster("local[2]")
                .setAppName("local-shuffle")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.shuffle.manager", BoltShuffleManager.class.getName()));
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    void sparkSqlTakesTheManagerForASortShuffle() {
        assertThat(SparkEnv.get().shuffleManager())
                .isInstanceOf(BoltShuffleManager.class)
                .isInstanceOf(SortShuffleManager.class);
    }

    @Test
    void recordsArriveAsTheyWereWritten() {
        assertThat(collect(shuffled())).containsExactlyInAnyOrderElementsOf(pairs().collect());
    }

    @Test
    void recordsAreSortedWhenTheDependencyHasAnOrder() {
        List<Tuple2<Integer, Integer>> records = collect(shuffled().setKeyOrdering(ascending()));

        assertThat(records).containsExactlyInAnyOrderElementsOf(pairs().collect());
        assertThatPartitionsAreSorted(records);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recordsAreCombinedWhetherTheMapSideHasDoneSoOrNot(boolean mapSideCombine) {
        assertThat(collect(shuffled().setAggregator(summing()).setMapSideCombine(mapSideCombine)))
                .containsExactlyInAnyOrderElementsOf(sums());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recordsAreCombinedAndSortedWhetherTheMapSideHasDoneSoOrNot(boolean mapSideCombine) {
        List<Tuple2<Integer, Integer>> records = collect(shuffled()
                .setAggregator(summing())
                .setMapSideCombine(mapSideCombine)
                .setKeyOrdering(ascending()));

        assertThat(records).containsExactlyInAnyOrderElementsOf(sums());
        assertThatPartitionsAreSorted(records);
    }

    @Test
    void aShuffleWhoseMergeIsFinalIsLocatedThroughItsMergedBlocks() {
        ShuffledRDD<Integer, Integer, Integer> shuffled = shuffled();
        List<Tuple2<Integer, Integer>> before = collect(shuffled);
        ((ShuffleDependency<?, ?, ?>) shuffled.dependencies().head()).markShuffleMergeFinalized();

        assertThat(collect(shuffled)).containsExactlyInAnyOrderElementsOf(before);
    }

    private static ShuffledRDD<Integer, Integer, Integer> shuffled() {
        return new ShuffledRDD<>(pairs().rdd(), new HashPartitioner(PARTITIONS), INTEGERS, INTEGERS, INTEGERS);
    }

    private static JavaPairRDD<Integer, Integer> pairs() {
        return context.parallelize(IntStream.range(0, KEYS * PER_KEY).boxed().toList(), 4)
                .mapToPair(id -> new Tuple2<>(id % KEYS, id));
    }

    private static List<Tuple2<Integer, Integer>> collect(RDD<Tuple2<Integer, Integer>> records) {
        return JavaPairRDD.fromRDD(records, INTEGERS, INTEGERS).collect();
    }

    private static List<Tuple2<Integer, Integer>> sums() {
        int stepsBelow = KEYS * (PER_KEY * (PER_KEY - 1) / 2);
        return IntStream.range(0, KEYS)
                .mapToObj(key -> new Tuple2<>(key, PER_KEY * key + stepsBelow))
                .toList();
    }

    private static Aggregator<Integer, Integer, Integer> summing() {
        Function2<Integer, Integer, Integer> sum = (Function2<Integer, Integer, Integer> & Serializable) Integer::sum;
        return new Aggregator<>((Function1<Integer, Integer> & Serializable) value -> value, sum, sum);
    }

    private static Ordering<Integer> ascending() {
        return Ordering$.MODULE$.comparatorToOrdering(Comparator.<Integer>naturalOrder());
    }

    private static void assertThatPartitionsAreSorted(List<Tuple2<Integer, Integer>> records) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            int hash = partition;
            assertThat(records.stream().map(Tuple2::_1).filter(key -> key % PARTITIONS == hash))
                    .isSorted();
        }
    }
}
