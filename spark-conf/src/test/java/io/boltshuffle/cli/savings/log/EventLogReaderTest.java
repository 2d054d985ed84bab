package io.boltshuffle.cli.savings.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.cli.savings.log.LogText.Rdd;
import io.boltshuffle.cli.savings.log.LogText.Stage;
import io.boltshuffle.cli.savings.log.LogText.Task;
import io.boltshuffle.cli.savings.log.StageSums.Read;
import io.boltshuffle.cli.savings.log.StageSums.Spill;
import io.boltshuffle.cli.savings.log.StageSums.Tasks;
import io.boltshuffle.cli.savings.log.StageSums.Write;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec$;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventLogReaderTest {
    private static final int LONGEST_LINE_BYTES = 100_000;

    private final Path directory;

    EventLogReaderTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** A job whose first stage writes for a sort of 8 partitions, with an end. */
    private static LogText job() {
        return LogText.start("my job", Map.of())
                .job(
                        new Stage(
                                0,
                                "map at Job.java:1",
                                List.of(),
                                List.of(rdd(1, "MapPartitionsRDD", "map", List.of()))),
                        new Stage(
                                1,
                                "collect at Job.java:2",
                                List.of(0),
                                List.of(rdd(2, "ShuffledRDD", "sortByKey", List.of(1)))))
                .task(Task.map(0, 1_000, 10, 5_000_000).spilling(7))
                .task(Task.map(0, 2_000, 20, 6_000_000))
                .task(Task.reduce(1, 500, 1_500, 1_500))
                .end();
    }

    private static Rdd rdd(int id, String name, String operation, List<Integer> parents) {
        return new Rdd(id, name, operation, 8, parents);
    }

    @Test
    void theTasksOfAStageAreAddedUp() throws IOException {
        ApplicationSums sums = read(job().write(file("app-1")));

        assertThat(sums.gaps()).isEmpty();
        assertThat(sums.name()).isEqualTo("my job");
        assertThat(sums.sparkVersion()).isEqualTo("4.2.0");
        assertThat(sums.millis()).isEqualTo(10_000);
        assertThat(sums.cores()).hasValue(4);
        assertThat(sums.hosts()).isEqualTo(2);
        assertThat(sums.stages())
                .containsExactly(
                        new StageSums(
                                0,
                                "map at Job.java:1",
                                new Tasks(2, 0, 4_000),
                                2_000,
                                new Write(SparkWriter.BYPASS, OptionalInt.of(8), 2, 3_000, 30, 0, 11_000_000),
                                new Read(0, 0, 2, 2, 0, 18),
                                new Spill(0, 7)),
                        new StageSums(
                                1,
                                "collect at Job.java:2",
                                new Tasks(1, 0, 2_000),
                                2_000,
                                new Write(SparkWriter.NONE, OptionalInt.empty(), 0, 0, 0, 0, 0),
                                new Read(1_500, 1_500, 1, 1, 500, 9),
                                new Spill(0, 0)));
        assertThat(sums.stages().get(0).write().temporaryFiles())
                .as("two tasks with a file for each of eight partitions")
                .isEqualTo(16);
    }

    @Test
    void aTaskWithFewRecordsMakesNoMoreFilesThanItHasRecords() {
        assertThat(new Write(SparkWriter.BYPASS, OptionalInt.of(200), 2, 90, 3, 0, 1).temporaryFiles())
                .isEqualTo(3);
        assertThat(new Write(SparkWriter.SERIALIZED, OptionalInt.of(2_000), 2, 90, 3, 0, 1).temporaryFiles())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "ShuffledRDD, sortByKey, '', BYPASS",
        "ShuffledRDD, reduceByKey, '', SORT",
        "ShuffledRDD, myOperation, '', UNKNOWN",
        "CoGroupedRDD, join, '', BYPASS",
        "ShuffledRowRDD, Exchange, '', UNKNOWN",
        "ShuffledRDD, sortByKey, org.apache.spark.serializer.KryoSerializer, BYPASS",
    })
    void theWriterOfAnRddIsDerivedFromTheOneThatReads(
            String name, String operation, String serializer, SparkWriter writer) throws IOException {
        assertThat(writerOf(name, operation, Map.of("spark.serializer", serializer)))
                .isEqualTo(writer);
    }

    @ParameterizedTest
    @CsvSource({
        "org.apache.spark.serializer.KryoSerializer, SERIALIZED",
        "org.apache.spark.serializer.JavaSerializer, UNKNOWN"
    })
    void aboveTheThresholdTheSerializerDecides(String serializer, SparkWriter writer) throws IOException {
        Map<String, String> settings =
                Map.of("spark.serializer", serializer, "spark.shuffle.sort.bypassMergeThreshold", "7");

        assertThat(writerOf("ShuffledRDD", "sortByKey", settings)).isEqualTo(writer);
    }

    private SparkWriter writerOf(String name, String operation, Map<String, String> settings) throws IOException {
        LogText log = LogText.start("my job", settings)
                .job(
                        new Stage(0, "map", List.of(), List.of(rdd(1, "MapPartitionsRDD", "map", List.of()))),
                        new Stage(1, "collect", List.of(0), List.of(rdd(2, name, operation, List.of(1)))))
                .task(Task.map(0, 1_000, 10, 5_000_000))
                .end();
        return read(log.write(file("app-1"))).stages().get(0).write().writer();
    }

    @Test
    void theShuffleOfAQueryIsKnownByItsPlanAndCalledAsTheQueryIs() throws IOException {
        LogText log = LogText.start("my job", Map.of())
                .query(3, "count at Job.java:9")
                .driverMetric(3, 10, 64)
                .job("3", new Stage(5, "$anonfun$0 at FutureTask.java:264", List.of(), List.of()))
                .task(Task.map(5, 1_000, 10, 5_000_000))
                .line("{\"Event\":\"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd\","
                        + "\"executionId\":3}")
                .completed(5, 11)
                .end();

        StageSums stage = read(log.write(file("app-1"))).stages().get(0);

        assertThat(stage.name()).isEqualTo("query 3: count at Job.java:9");
        assertThat(stage.write().writer()).isEqualTo(SparkWriter.BYPASS);
        assertThat(stage.write().partitions()).hasValue(64);
        assertThat(stage.write().rows()).isEqualTo(stage.write().records()).isPositive();
    }

    @Test
    void theShuffleOfASubqueryIsKnownByItsMetricsAlone() throws IOException {
        LogText log = LogText.start("my job", Map.of())
                .line("{\"Event\":\"org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveSQLMetricUpdates\","
                        + "\"executionId\":3,\"sqlPlanMetrics\":["
                        + "{\"name\":\"number of partitions\",\"accumulatorId\":30},"
                        + "{\"name\":\"shuffle bytes written\",\"accumulatorId\":25},"
                        + "{\"name\":\"number of partitions\",\"accumulatorId\":20}]}")
                .driverMetric(3, 20, 300)
                .driverMetric(3, 30, 5)
                .task(Task.map(5, 1_000, 10, 5_000_000))
                .completed(5, 25)
                .end();

        Write write = read(log.write(file("app-1"))).stages().get(0).write();

        assertThat(write.writer()).isEqualTo(SparkWriter.SERIALIZED);
        assertThat(write.partitions()).hasValue(300);
    }

    @Test
    void executorsThatReplaceOthersAddNoCores() throws IOException {
        LogText log = LogText.start("my job", Map.of("spark.task.cpus", "2"))
                .executorGone("0")
                .executor("2", "127.0.0.4")
                .task(Task.map(0, 1, 1, 1))
                .end();

        ApplicationSums sums = read(log.write(file("app-1")));

        assertThat(sums.cores()).hasValue(4);
        assertThat(sums.slots()).hasValue(2);
        assertThat(sums.hosts()).isEqualTo(3);
    }

    @Test
    void aRolledLogIsReadInOrderFromItsLastCompactFileOn() throws IOException {
        Path rolled = Files.createDirectory(file("eventlog_v2_app-1"));
        Files.writeString(rolled.resolve("events_1_app-1"), "these events were compacted\n");
        List<String> lines = job().text().lines().toList();
        Files.write(rolled.resolve("events_2_app-1.compact"), lines.subList(0, 8));
        Files.write(rolled.resolve("events_2_app-1"), List.of("compacted, too"));
        Files.write(rolled.resolve("events_10_app-1"), lines.subList(9, lines.size()));
        Files.write(rolled.resolve("events_9_app-1"), lines.subList(8, 9));
        Files.createFile(rolled.resolve("appstatus_app-1"));

        ApplicationSums sums = read(rolled);

        assertThat(sums.log()).isEqualTo("eventlog_v2_app-1");
        assertThat(sums.stages()).isEqualTo(read(job().write(file("whole"))).stages());
        assertThat(sums.gaps()).singleElement().asString().contains("dropped events");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lz4", "lzf", "snappy", "zstd"})
    void aCompressedLogIsReadByTheCodecsOfASpark(String codec) throws IOException {
        Path log = compressed(codec, job().text());

        assertThat(read(log).stages()).hasSize(2);
        assertThat(read(log).gaps()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lz4", "snappy", "zstd"})
    void aCompressedLogThatIsCutIsReadAsFarAsItGoes(String codec) throws IOException {
        StringBuilder text = new StringBuilder(job().text());
        for (int i = 0; i < 20_000; i++) {
            text.append(LogText.start("my job " + i * 7919L, Map.of()).text());
        }
        Path log = compressed(codec, text.toString());
        byte[] whole = Files.readAllBytes(log);
        Files.write(log, Arrays.copyOf(whole, whole.length / 2));

        assertThat(read(log).stages()).hasSize(2);
        assertThat(read(log).gaps()).anyMatch(gap -> gap.contains("is cut, and was read as far as it goes"));
    }

    @Test
    void aLogWhoseLastLineIsCutSaysSo() throws IOException {
        String text = job().text();
        Path log = Files.writeString(file("app-1.inprogress"), text.substring(0, text.length() - 100));

        ApplicationSums sums = read(log);

        assertThat(sums.stages()).as("what stands before the cut").hasSize(1);
        assertThat(sums.gaps())
                .containsExactly(
                        "app-1.inprogress is cut, and was read as far as it goes",
                        "the application had not ended when the last event was written");
        assertThat(sums.millis()).as("until the last task's end").isEqualTo(2_000);
    }

    @Test
    void linesThatAreNoEventsAreCountedAndPassedOver() throws IOException {
        List<String> lines = job().text().lines().toList();
        Path log = file("app-1");
        Files.write(log, lines.subList(0, 7));
        String jobStart = "{\"Event\":\"SparkListenerJobStart\",\"Stage Infos\":";
        String huge = jobStart + "\"" + "x".repeat(LONGEST_LINE_BYTES) + "\"}\n";
        String deep = jobStart + "[".repeat(5_000) + "\n";
        Files.writeString(
                log,
                Files.readString(log) + huge + deep + "no event\n" + String.join("\n", lines.subList(7, lines.size()))
                        + "\n");

        ApplicationSums sums = read(log);

        assertThat(sums.stages()).hasSize(2);
        assertThat(sums.gaps())
                .containsExactly(
                        "2 lines of app-1 could not be read", "1 line of app-1 passed over, because of length");
    }

    @Test
    void figuresThatMakeNoSenseDoNoHarm() throws IOException {
        LogText log = LogText.start("my job", Map.of("spark.task.cpus", "none"))
                .line("{\"Event\":\"SparkListenerTaskEnd\"}")
                .line("{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":\"x\",\"Task Info\":[],\"Task Metrics\":7}")
                .task(Task.reduce(0, -500, Long.MIN_VALUE, -1))
                .end();

        StageSums stage = read(log.write(file("app-1"))).stages().get(0);

        assertThat(stage.tasks().ended()).isEqualTo(3);
        assertThat(stage.shuffleSeconds()).isZero();
    }

    @Test
    void severalLogsAndDirectoriesAreReadInTheirOrderAndOtherFilesAreLeftOut() throws IOException {
        Path logs = Files.createDirectory(file("logs"));
        job().write(logs.resolve("app-2"));
        job().write(logs.resolve("app-1"));
        Files.writeString(logs.resolve("README"), "<html>no log</html>\n");
        Files.writeString(logs.resolve(".app-1.crc"), "crc");
        Files.createDirectory(logs.resolve("other"));

        assertThat(readAll(job().write(file("single")), logs).stream().map(ApplicationSums::log))
                .containsExactly("single", "app-1", "app-2");
    }

    @Test
    void whatIsNoEventLogIsOneSentenceAndExitsWithTwo() throws IOException {
        byte[] binary = new byte[100_000];
        for (int i = 0; i < binary.length; i++) {
            binary[i] = (byte) (i * 31);
        }
        Path empty = Files.createDirectory(file("empty"));
        Path rolled = Files.createDirectory(file("eventlog_v2_app-9"));

        assertNoLog(Files.write(file("binary"), binary), "is no event log of Spark's");
        assertNoLog(Files.write(file("binary.zstd"), binary), "is no event log of Spark's");
        assertNoLog(Files.writeString(file("json"), "{\"a\":1}\n"), "is no event log of Spark's");
        assertNoLog(Files.writeString(file("nothing"), ""), "is no event log of Spark's");
        assertNoLog(Files.writeString(file("other"), "{\"Event\":\"Party\"}\n"), "is no event log of Spark's");
        assertNoLog(rolled, "is no event log of Spark's");
        assertNoLog(empty, "there is no event log of Spark's in ");
        assertNoLog(file("nowhere"), "does not exist");
    }

    private void assertNoLog(Path place, String words) {
        assertThatThrownBy(() -> read(place))
                .isInstanceOfSatisfying(
                        BoltException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
                .hasMessageContaining(place.getFileName().toString())
                .hasMessageContaining(words);
    }

    private Path compressed(String codec, String text) throws IOException {
        Path log = file("app-1." + codec);
        try (OutputStream out = CompressionCodec$.MODULE$
                .createCodec(new SparkConf(false), codec)
                .compressedOutputStream(Files.newOutputStream(log))) {
            out.write(text.getBytes(UTF_8));
        }
        return log;
    }

    private ApplicationSums read(Path log) {
        return readAll(log).get(0);
    }

    private List<ApplicationSums> readAll(Path... places) {
        return new EventLogReader(this::spark, Console.standardError(), LONGEST_LINE_BYTES).read(List.of(places));
    }

    /** A Spark of the jars that the tests have. */
    private SparkRuntime spark() {
        Path home = file("spark");
        Path jars = home.resolve("jars");
        try {
            if (!Files.isDirectory(jars)) {
                Files.createDirectories(jars);
                for (String jar : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                    if (jar.matches(".*/(spark-core_|lz4-java-|compress-lzf-|snappy-java-|zstd-jni-)[^/]*\\.jar")) {
                        Files.copy(Path.of(jar), jars.resolve(Path.of(jar).getFileName()));
                    }
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return SparkRuntime.at(home);
    }

    private Path file(String name) {
        return directory.resolve(name);
    }
}
