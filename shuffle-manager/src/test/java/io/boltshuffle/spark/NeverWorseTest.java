package io.boltshuffle.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.files.ServingCosts;
import io.boltshuffle.spark.fetch.FetchCosts;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs each case with Spark's own shuffle and with the plugin's, and compares what they cost others: other tasks,
 * cached data, the user's own functions, the machine. A case gives one number, and the plugin's may not be larger.
 *
 * <p>Cases of a part of the plugin stand in a class of their own, such as {@link WriterCosts}; ask of each mechanism
 * there: what does Spark not do here?
 */
@Tag("slow")
public final class NeverWorseTest {

    /** The resource that a case watches. */
    public enum Watched {
        MEMORY,
        WAITING,
        OPEN_FILES,
        THREADS,
        HEAP,
        FAILURES
    }

    public enum Shuffle {
        STOCK(SortShuffleManager.class),
        OURS(BoltShuffleManager.class);

        private final Class<?> manager;

        Shuffle(Class<?> manager) {
            this.manager = manager;
        }

        /** Starts Spark in this process, with two tasks at a time. */
        JavaSparkContext start(Path directory, Map<String, String> settings) {
            SparkConf conf = new SparkConf(false)
                    .setMaster("local[2]")
                    .setAppName("never-worse")
                    .set("spark.ui.enabled", "false")
                    .set("spark.driver.host", "127.0.0.1")
                    .set("spark.driver.bindAddress", "127.0.0.1")
                    .set("spark.local.dir", directory.toString())
                    .set("spark.shuffle.manager", manager.getName());
            settings.forEach(conf::set);
            return new JavaSparkContext(conf);
        }
    }

    /** Runs a job and returns what it cost. */
    public interface Cost {
        long of(Shuffle shuffle, Path directory) throws Exception;
    }

    /** @param name what is counted */
    public record Case(Watched watched, String name, Cost cost) {
        @Override
        public String toString() {
            return watched + ": " + name;
        }
    }

    static Stream<Case> cases() {
        return all().filter(each -> each.watched() != Watched.HEAP);
    }

    static Stream<Case> casesWithAHeapOfTheirOwn() {
        return all().filter(each -> each.watched() == Watched.HEAP);
    }

    private static Stream<Case> all() {
        return Stream.of(WriterCosts.cases(), ReaderCosts.cases(), FetchCosts.cases(), ServingCosts.cases())
                .flatMap(cases -> cases);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void theShuffleCostsOthersNoMoreThanStock(Case measured, @TempDir Path directory) throws Exception {
        compare(measured, directory);
    }

    @Tag("ci")
    @ParameterizedTest(name = "{0}")
    @MethodSource("casesWithAHeapOfTheirOwn")
    void theHeapThatTheShuffleFillsIsNoMoreThanStocks(Case measured, @TempDir Path directory) throws Exception {
        compare(measured, directory);
    }

    private static void compare(Case measured, Path directory) throws Exception {
        long stock = measured.cost().of(Shuffle.STOCK, directory);

        long ours = measured.cost().of(Shuffle.OURS, directory);

        assertThat(ours)
                .as("%s, against %d with Spark's own shuffle", measured, stock)
                .isLessThanOrEqualTo(stock);
    }
}
