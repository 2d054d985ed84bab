package io.boltshuffle.cli.savings.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.boltshuffle.cli.savings.log.ApplicationSums;
import io.boltshuffle.cli.savings.log.SparkWriter;
import io.boltshuffle.cli.savings.log.StageSums;
import io.boltshuffle.cli.savings.log.StageSums.Read;
import io.boltshuffle.cli.savings.log.StageSums.Spill;
import io.boltshuffle.cli.savings.log.StageSums.Tasks;
import io.boltshuffle.cli.savings.log.StageSums.Write;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SavingsModelTest {
    private static final Offset<Double> EXACT = within(1e-9);

    /** A network of 1 GB/s, and a cable that is four times as fast. */
    private static final SavingsModel MODEL =
            new SavingsModel(new Network("slow", 1e9, "test"), new Network("fast", 4e9, "test"));

    private static ApplicationSums application(Map<String, String> settings, StageSums... stages) {
        return new ApplicationSums(
                "log", "app-1", "job", "4.2.0", 100_000, OptionalInt.of(8), 2, settings, List.of(stages), List.of());
    }

    private static StageSums reading(long tasks, long waitMillis, long remoteBytes) {
        return new StageSums(
                0,
                "stage",
                new Tasks(tasks, 0, 60_000),
                30_000,
                new Write(SparkWriter.NONE, OptionalInt.empty(), 0, 0, 0, 0, 0),
                new Read(0, remoteBytes, 0, 1, waitMillis, 0),
                new Spill(0, 0));
    }

    private static StageSums writing(SparkWriter writer, long bytes, long spilledBytes) {
        return writing(writer, bytes, spilledBytes, 0);
    }

    private static StageSums writing(SparkWriter writer, long bytes, long spilledBytes, long rows) {
        return new StageSums(
                0,
                "stage",
                new Tasks(8, 0, 60_000),
                30_000,
                new Write(writer, OptionalInt.of(100), 8, bytes, 1_000_000, rows, 10_000_000_000L),
                new Read(0, 0, 0, 0, 0, 0),
                new Spill(0, spilledBytes));
    }

    /** Tasks are 8 at once at most, so 4 in each of the two hosts. */
    @ParameterizedTest
    @CsvSource({
        // tasks, wait s, remote GB: 1 s on the wire for each GB, of which the cable saves three quarters
        "8, 10, 0, 0, 0",
        "8, 0, 5, 0, 0",
        "8, 10, 2, 1.5, 7.8", // explained: 2 s at least, 8 s at most, and 0.9 of the other 2 s
        "8, 10, 20, 7.5, 7.5", // all of the wait is the network's
        "1, 10, 2, 1.5, 8.7", // one task at once: 2 s are explained, and 0.9 of the other 8 s
    })
    void theWaitThatTheNetworkExplainsShrinksAsTheCableIsFaster(
            long tasks, long waitSeconds, long remoteGigabytes, double low, double high) {
        StageSums stage = reading(tasks, waitSeconds * 1_000, remoteGigabytes * 1_000_000_000);

        Range gone = only(MODEL, application(Map.of(), stage)).fetchSeconds();

        assertThat(gone.low()).isEqualTo(low, EXACT);
        assertThat(gone.high()).isEqualTo(high, EXACT);
    }

    @Test
    void aCableThatIsNoFasterThanTheNetworkSavesNothingOfItsPart() {
        SavingsModel slow = new SavingsModel(new Network("a", 2e9, ""), new Network("b", 1e9, ""));

        Range gone = only(slow, application(Map.of(), reading(8, 10_000, 20_000_000_000L)))
                .fetchSeconds();

        assertThat(gone).isEqualTo(Range.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "BYPASS, 100000, 0, 3.6, 8.9", // blocks of 125 bytes
        "BYPASS, 100000000, 0, 0.9, 4", // blocks of 125 kB
        "SERIALIZED, 100000, 0, 0.6, 5.9",
        "BYPASS, 100000, 1, 0.4, 3.2", // by what fed the writer: this one never spills
        "SERIALIZED, 100000, 1, 0.6, 5.9",
        "UNKNOWN, 100000, 0, 0, 3.6",
        "SORT, 100000, 0, 0, 0",
        "NONE, 0, 0, 0, 0",
    })
    void ofTheTimeOfAWriterGoesWhatWasMeasuredWithIt(
            SparkWriter writer, long bytes, long spilledBytes, double low, double high) {
        Range gone = only(MODEL, application(Map.of(), writing(writer, bytes, spilledBytes)))
                .writeSeconds();

        assertThat(gone.low()).isEqualTo(low, EXACT);
        assertThat(gone.high()).isEqualTo(high, EXACT);
    }

    @ParameterizedTest
    @CsvSource({
        "BYPASS, 100000, 0, zstd, 2.8, 8.3",
        "BYPASS, 100000000, 0, zstd, 0.6, 3.1",
        "BYPASS, 100000000, 1, zstd, 0, 3.6",
        "SERIALIZED, 100000000, 1, zstd, 1.6, 5.6",
        "SERIALIZED, 100000000, 0, snappy, 0, 3.6",
    })
    void ofTheTimeOfAWriterGoesWhatWasMeasuredWithItsCodec(
            SparkWriter writer, long bytes, long spilledBytes, String codec, double low, double high) {
        Range gone = only(
                        MODEL,
                        application(Map.of("spark.io.compression.codec", codec), writing(writer, bytes, spilledBytes)))
                .writeSeconds();

        assertThat(gone.low()).isEqualTo(low, EXACT);
        assertThat(gone.high()).isEqualTo(high, EXACT);
    }

    /** Spark does not count this time as writing: its clock stands while files are opened, copied and removed. */
    @ParameterizedTest
    @CsvSource({
        "BYPASS, 0, lz4, 0.2, 0.64", // 8 tasks of 100 partitions
        "BYPASS, 1, lz4, 0.2, 0.64",
        "BYPASS, 0, zstd, 0.2, 0.64",
        "BYPASS, 0, snappy, 0, 0.64",
        "BYPASS, 0, lzf, 0, 0",
        "SERIALIZED, 0, lz4, 0, 0",
        "SORT, 0, lz4, 0, 0",
    })
    void eachTemporaryFileIsTimeThatGoes(SparkWriter writer, long spilledBytes, String codec, double low, double high) {
        Range gone = only(
                        MODEL,
                        application(
                                Map.of("spark.io.compression.codec", codec), writing(writer, 100_000, spilledBytes)))
                .fileSeconds();

        assertThat(gone.low()).isEqualTo(low, EXACT);
        assertThat(gone.high()).isEqualTo(high, EXACT);
    }

    /** The gain is no part of the writing that Spark counts, which leaves out the encoding of rows. */
    @ParameterizedTest
    @CsvSource({
        "BYPASS, 0, 0, 0, 0", // records of an RDD
        "BYPASS, 0, 100000000, 5, 17",
        "SERIALIZED, 0, 100000000, 5, 17",
        "BYPASS, 1, 100000000, 5, 17",
        "UNKNOWN, 0, 100000000, 0, 17",
        "SORT, 0, 100000000, 0, 0",
        "BYPASS, 0, 10000000000, 60, 60", // no more than the tasks ran
    })
    void eachRowOfSqlTakesLessThanWithSparksStreams(
            SparkWriter writer, long spilledBytes, long rows, double low, double high) {
        StageSums stage = writing(writer, 100_000, spilledBytes, rows);

        StageEstimate estimate = only(MODEL, application(Map.of(), stage));

        assertThat(estimate.rowSeconds().low()).isEqualTo(low, EXACT);
        assertThat(estimate.rowSeconds().high()).isEqualTo(high, EXACT);
        assertThat(estimate.taskSeconds())
                .isEqualTo(estimate.writeSeconds().plus(estimate.fileSeconds()).plus(estimate.rowSeconds()));
        assertThat(only(MODEL, application(Map.of("spark.io.compression.codec", "lzf"), stage))
                        .rowSeconds())
                .isEqualTo(Range.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "spark.network.crypto.enabled, true, 0, 8.9, 'with spark.network.crypto.enabled=true'",
        "spark.ssl.rpc.enabled, true, 0, 8.9, 'with spark.ssl.rpc.enabled=true'",
        "spark.shuffle.push.enabled, true, 0, 8.9, 'with spark.shuffle.push.enabled=true'",
        "spark.io.compression.codec, lzf, 7.8, 0, the codec lzf",
        "spark.io.compression.codec, zstd, 7.8, 8.3, ''",
        "spark.io.compression.codec, snappy, 7.8, 3.6, ''",
        "spark.shuffle.compress, false, 7.8, 8.3, ''",
        "spark.shuffle.sort.io.plugin.class, my.Storage, 7.8, 0, spark.shuffle.sort.io.plugin.class=my.Storage",
        "spark.shuffle.manager, io.boltshuffle.spark.BoltShuffleManager, 0, 0, it ran with boltshuffle already",
        "spark.plugins, io.boltshuffle.spark.BoltShufflePlugin, 0, 0, it ran with boltshuffle already",
        "spark.shuffle.manager, org.example.Remote, 0, 0, in place of Spark's own shuffle",
        "spark.shuffle.manager, SORT, 7.8, 8.9, ''",
    })
    void whatThePluginWouldNotTakeOverIsNotEstimatedAndIsSaid(
            String key, String value, double fetch, double write, String note) {
        ApplicationSums application = application(
                Map.of(key, value), reading(8, 10_000, 2_000_000_000), writing(SparkWriter.BYPASS, 100_000, 0));

        ApplicationEstimate estimate = MODEL.estimate(application);

        assertThat(estimate.stages().get(0).fetchSeconds().high()).isEqualTo(fetch, EXACT);
        assertThat(estimate.stages().get(1).writeSeconds().high()).isEqualTo(write, EXACT);
        assertThat(String.join("\n", estimate.notes())).contains(note);
        assertThat(estimate.notes().isEmpty()).isEqualTo(note.isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "8, 10000, 0.1875, 0.975", // 8 cores, and as many tasks
        "2, 10000, 0.1875, 4.35", // only two cores can have won anything
        "1, 99000, 0.1875, 30", // no more than the stage took
    })
    void tasksTimeBecomesTheJobsByTheCoresThatShareIt(long tasks, long waitMillis, double low, double high) {
        Range gone = only(MODEL, application(Map.of(), reading(tasks, waitMillis, 2_000_000_000)))
                .jobSeconds();

        assertThat(gone.low()).isEqualTo(low, EXACT);
        assertThat(gone.high()).isEqualTo(high, EXACT);
    }

    @Test
    void withoutExecutorsInTheLogNothingIsSaidOfTheJob() {
        ApplicationSums cut = new ApplicationSums(
                "log",
                "",
                "job",
                "4.2.0",
                0,
                OptionalInt.empty(),
                0,
                Map.of(),
                List.of(reading(8, 10_000, 2_000_000_000)),
                List.of());

        ApplicationEstimate estimate = MODEL.estimate(cut);

        assertThat(estimate.jobSeconds()).isEqualTo(Range.NONE);
        assertThat(estimate.taskSeconds().high()).isPositive();
        assertThat(estimate.notes()).singleElement().asString().startsWith("the log names no executor");
    }

    @Test
    void aNetworkThatAStageShowsToBeFasterIsTakenForThatFast() {
        // 240 GB in 30 s, into two hosts: 4 GB/s, as fast as the cable.
        ApplicationEstimate estimate = MODEL.estimate(application(Map.of(), reading(8, 10_000, 240_000_000_000L)));

        assertThat(estimate.network().bytesPerSecond()).isEqualTo(4e9, EXACT);
        assertThat(estimate.taskSeconds()).isEqualTo(Range.NONE);
        assertThat(estimate.notes())
                .singleElement()
                .asString()
                .contains("received 32.0 Gbit/s in each host, which is more than slow carries");
    }

    @Test
    void onASlowerNetworkTasksWouldHaveWaitedLongerByWhatTheBytesTakeThere() {
        ApplicationEstimate taken = MODEL.estimate(application(Map.of(), reading(8, 10_000, 2_000_000_000)));

        // The bytes take 20 s in place of 2 s; of 28 s wait (low), 20 s are the network's, and the cable saves 39/40.
        Range gone = MODEL.estimateOn(new Network("slower", 1e8, ""), taken).taskSeconds();

        assertThat(gone.low()).isEqualTo(20 * 0.975, EXACT);
        // Each of four tasks waits 18 s longer: 82 s, of which 80 s are the network's.
        assertThat(gone.high()).isEqualTo(80 * 0.975 + 2 * 0.9, EXACT);
    }

    @Test
    void onAFasterNetworkTheJobWinsNoMoreThanOnTheOneThatItRanOn() {
        ApplicationEstimate taken = MODEL.estimate(application(Map.of(), reading(1, 99_000, 2_000_000_000)));

        Range gone = MODEL.estimateOn(new Network("faster", 2e9, ""), taken).jobSeconds();

        assertThat(gone.high()).isEqualTo(30).isEqualTo(taken.jobSeconds().high());
    }

    @Test
    void onAFasterNetworkTasksWouldHaveWaitedLess() {
        ApplicationEstimate taken = MODEL.estimate(application(Map.of(), reading(8, 10_000, 2_000_000_000)));

        Range gone = MODEL.estimateOn(new Network("as fast as the cable", 4e9, ""), taken)
                .taskSeconds();

        assertThat(gone.low()).isZero();
        // 1.5 s less wait; 2 s of the 8.5 s are the network's, which the cable does not shorten.
        assertThat(gone.high()).isEqualTo(6.5 * 0.9, EXACT);
    }

    @ParameterizedTest
    @CsvSource({"1g, 0.1175", "2.5g, 0.29375", "10G, 1.175", "25g, 2.9375", "bridge, 3.1", "tb5, 6.4"})
    void linksHaveNamesOrSpeeds(String name, double gigabytes) {
        assertThat(Network.of(name))
                .hasValueSatisfying(
                        network -> assertThat(network.bytesPerSecond()).isEqualTo(gigabytes * 1e9, within(1.0)));
    }

    @ParameterizedTest
    @CsvSource({"0g", "-1g", "g", "10", "99999g", "usb"})
    void otherWordsAreNoLinks(String name) {
        assertThat(Network.of(name)).isEmpty();
    }

    @Test
    void aRangeHasItsEndsInOrder() {
        assertThatThrownBy(() -> new Range(2, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Range(Double.NaN, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new Range(1, 5).atMost(3)).isEqualTo(new Range(1, 3));
    }

    private static StageEstimate only(SavingsModel model, ApplicationSums application) {
        return model.estimate(application).stages().get(0);
    }
}
