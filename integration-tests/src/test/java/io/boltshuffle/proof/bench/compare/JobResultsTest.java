package io.boltshuffle.proof.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.proof.accelerator.Comet;
import io.boltshuffle.proof.bench.baseline.Baseline;
import io.boltshuffle.proof.bench.inspark.CpuNanos;
import io.boltshuffle.proof.bench.inspark.HeapFigures;
import io.boltshuffle.proof.bench.inspark.PieceSample;
import io.boltshuffle.proof.bench.inspark.TaskFigures;
import io.boltshuffle.proof.bench.network.Bandwidth;
import io.boltshuffle.proof.bench.network.HeldNetwork;
import io.boltshuffle.proof.bench.report.MachineState;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobResultsTest {
    private static final long SECOND = 1_000_000_000;
    private static final MachineState MACHINE =
            new MachineState(Instant.EPOCH, "Linux", "a processor", 2, 1L << 34, "Java 17", 0.1);

    private final List<Measured> measured = new ArrayList<>();

    private void stock(long seconds, long waitMillis, String answer) {
        add(Contender.STOCK, seconds, new CpuNanos(2 * SECOND, 0, 0), waitMillis, answer, OptionalDouble.empty());
    }

    private void boltshuffle(long seconds, long waitMillis, String answer, double rdmaShare) {
        CpuNanos cpu = new CpuNanos(SECOND / 2, SECOND / 2, 7 * SECOND);
        add(Contender.BOLTSHUFFLE, seconds, cpu, waitMillis, answer, OptionalDouble.of(rdmaShare));
    }

    private void add(
            Contender contender, long seconds, CpuNanos cpu, long waitMillis, String answer, OptionalDouble rdmaShare) {
        TaskFigures tasks = new TaskFigures(seconds * 1_000, 10_000, SECOND / 4, waitMillis, 64_000_000);
        add(contender, seconds, cpu, tasks, answer, rdmaShare);
    }

    private void add(
            Contender contender,
            long seconds,
            CpuNanos cpu,
            TaskFigures tasks,
            String answer,
            OptionalDouble rdmaShare) {
        HeapFigures heap = new HeapFigures(seconds * 1_000_000, 3, 40);
        measured.add(new Measured(
                "sort 8x8", contender, new PieceSample("read", answer, seconds * SECOND, cpu, heap, tasks), rdmaShare));
    }

    private Report report() {
        return results(Optional.empty()).report();
    }

    private JobResults results(Optional<HeldNetwork> network) {
        return new JobResults("Spark 4.2.0", network, MACHINE, MACHINE, List.copyOf(measured), false);
    }

    private List<Comparison> comparisons() {
        return results(Optional.empty()).comparisons();
    }

    @Test
    void theHeadSaysWhatTheNetworkWasHeldTo() throws Exception {
        stock(1, 0, "a");
        boltshuffle(1, 0, "a", 1);
        Bandwidth rate = new Bandwidth.Converter().convert("71.4mbit");
        HeldNetwork held = new HeldNetwork("like a desk", rate, Optional.of(rate), 1500, 0.5, "As assumed.");
        Report report = results(Optional.of(held)).report();

        assertThat(report.toText()).contains("network: like a desk, MTU 1500. As assumed.");
        assertThat(report.toHtml()).contains("network: like a desk, MTU 1500. As assumed.");
        JsonNode json = new ObjectMapper().readTree(Json.write(report.toJson()));
        assertThat(json.at("/network/networkBytesPerSecond").asLong()).isEqualTo(8_925_000);
        assertThat(json.at("/network/scale").asDouble()).isEqualTo(0.5);
        assertThat(report().toText()).contains("network: loopback, and cables as fast as this machine");
    }

    @Test
    void mediansOfAllRunsAreCompared() {
        List.of(4L, 2L, 9L).forEach(seconds -> stock(seconds, 4_000, "a"));
        List.of(1L, 3L, 2L).forEach(seconds -> boltshuffle(seconds, 1_000, "a", 1));

        assertThat(comparisons()).singleElement().satisfies(sort -> {
            assertThat(sort.wallRatio()).isCloseTo(0.5, within(1e-9));
            assertThat(sort.stock().median(Cost.WAIT)).isCloseTo(0.4, within(1e-9));
            assertThat(sort.boltshuffle().median(Cost.WAIT)).isCloseTo(0.1, within(1e-9));
        });
    }

    @Test
    void agentsAreCountedAndTheEmulatorIsNot() {
        stock(1, 0, "a");
        boltshuffle(1, 0, "a", 1);

        assertThat(comparisons()).singleElement().satisfies(sort -> {
            assertThat(sort.cpuRatio()).isCloseTo(0.5, within(1e-9));
            assertThat(sort.boltshuffle().median(Cost.EMULATOR_CPU)).isCloseTo(7, within(1e-9));
        });
    }

    @Test
    void asSlowAsTheSlowestRunOfStockIsNoise() {
        stock(4, 0, "a");
        stock(6, 0, "a");
        boltshuffle(6, 0, "a", 1);
        assertThat(report().faults()).isEmpty();

        boltshuffle(7, 0, "a", 1);
        assertThat(report().faults()).hasSize(1);
    }

    @Test
    void blocksOfOtherHostsHaveToComeByRdmaWhereThereAreSome() {
        stock(1, 0, "a");
        boltshuffle(1, 0, "a", 0.9);
        assertThat(report().faults()).containsExactly("sort 8x8: in one run only 90.0 % of the bytes came by RDMA");

        measured.clear();
        CpuNanos cpu = new CpuNanos(SECOND, 0, 0);
        TaskFigures nothingRemote = new TaskFigures(1_000, 10_000, SECOND / 4, 0, 0);
        add(Contender.STOCK, 1, cpu, nothingRemote, "a", OptionalDouble.empty());
        add(Contender.BOLTSHUFFLE, 1, cpu, nothingRemote, "a", OptionalDouble.empty());
        assertThat(report().faults()).isEmpty();

        stock(1, 0, "a");
        assertThat(report().faults()).as("stock reads something").hasSize(1);
    }

    @Test
    void stockTunedByHandStandsBeside() {
        stock(8, 0, "a");
        add(Contender.TUNED, 5, new CpuNanos(SECOND, 0, 0), 0, "a", OptionalDouble.empty());
        boltshuffle(4, 0, "a", 1);

        Report report = report();

        assertThat(comparisons()).singleElement().satisfies(sort -> {
            assertThat(sort.wallRatio()).isCloseTo(0.5, within(1e-9));
            assertThat(sort.wallRatio(Contender.TUNED)).isCloseTo(0.8, within(1e-9));
        });
        assertThat(report.toText())
                .contains("total: 0.50 of stock Spark's 8.0 s, 0.80 of stock tuned by hand; CPU 0.50 of stock Spark's, "
                        + "of the tasks alone 1.00; the highest ratio of one piece is 0.50 (sort 8x8)");
    }

    @Test
    void anAcceleratorIsComparedWithItselfAndWithSpark() throws Exception {
        CpuNanos cpu = new CpuNanos(SECOND, 0, 0);
        stock(8, 0, "a");
        boltshuffle(4, 0, "a", 1);
        List<Contender> comet = Contender.of(new Comet(Path.of("comet.jar")), "1g");
        add(comet.get(0), 5, cpu, 0, "a", OptionalDouble.empty());
        add(comet.get(1), 2, cpu, 0, "a", OptionalDouble.of(1));

        Report report = report();

        assertThat(comparisons())
                .extracting(Comparison::title, Comparison::wallRatio)
                .containsExactly(tuple("sort 8x8", 0.5), tuple("sort 8x8, Comet", 0.4));
        assertThat(report.faults()).isEmpty();
        assertThat(report.toText())
                .contains("total: 0.50 of stock Spark's 8.0 s; CPU")
                .contains("total: 0.40 of Comet's 5.0 s, 0.25 of stock Spark's; CPU")
                .doesNotContain("answers otherwise");
        JsonNode json = new ObjectMapper().readTree(Json.write(report.toJson()));
        assertThat(json.at("/total/wallRatio").asDouble()).isCloseTo(0.5, within(1e-9));
        assertThat(json.at("/totalWithComet/sparkWallRatio").asDouble()).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void whatAnAcceleratorItselfAnswersOtherwiseIsToldAndNotHeldAgainstUs() {
        CpuNanos cpu = new CpuNanos(SECOND, 0, 0);
        stock(8, 0, "a");
        boltshuffle(4, 0, "a", 1);
        List<Contender> comet = Contender.of(new Comet(Path.of("comet.jar")), "1g");
        add(comet.get(0), 5, cpu, 0, "b", OptionalDouble.empty());
        add(comet.get(1), 2, cpu, 0, "b", OptionalDouble.of(1));
        assertThat(report().faults()).isEmpty();
        assertThat(report().toText()).contains("Comet itself answers otherwise than Spark: sort 8x8");

        add(comet.get(1), 2, cpu, 0, "a", OptionalDouble.of(1));
        assertThat(report().faults())
                .singleElement()
                .asString()
                .contains("sort 8x8, Comet gave [b, a] in place of [b]");
    }

    @Test
    void eachContenderBeginsARoundInTurn() {
        List<Contender> all = Contender.all(true, List.of(Baseline.NIO));
        assertThat(IntStream.range(0, 4)
                        .mapToObj(round -> Contender.inRound(round, all).get(0)))
                .containsExactlyInAnyOrderElementsOf(all);
        List<Contender> two = Contender.all(false, List.of());
        assertThat(Contender.inRound(0, two)).containsExactly(Contender.STOCK, Contender.BOLTSHUFFLE);
        assertThat(Contender.inRound(1, two)).containsExactly(Contender.BOLTSHUFFLE, Contender.STOCK);
    }

    @Test
    void everyBaselineHasItsColumnsAndItsFigures() throws Exception {
        List<Contender> all = Contender.all(false, List.of(Baseline.NIO, Baseline.TMPFS));
        long seconds = 8;
        for (Contender contender : all) {
            add(contender, seconds, new CpuNanos(SECOND, 0, 0), 0, "a", OptionalDouble.of(1));
            seconds /= 2;
        }

        Report report = report();

        assertThat(report.toText())
                .contains("stock with NIO", "stock on tmpfs")
                .contains("total: 0.13 of stock Spark's 8.0 s, 0.25 of stock with NIO, 0.50 of stock on tmpfs;");
        JsonNode json = new ObjectMapper().readTree(Json.write(report.toJson()));
        assertThat(json.at("/comparisons/0/nio/wallSeconds/median").asDouble()).isCloseTo(4, within(1e-9));
        assertThat(json.at("/comparisons/0/nioWallRatio").asDouble()).isCloseTo(0.25, within(1e-9));
        assertThat(json.at("/total/tmpfsWallRatio").asDouble()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void baselinesChangeOnlyWhatTheySay() {
        assertThat(Contender.all(true, List.of(Baseline.NIO, Baseline.EPOLL, Baseline.CONNECTIONS_4, Baseline.TMPFS)))
                .extracting(Contender::label)
                .containsExactly("stock", "tuned", "nio", "epoll", "connections-4", "tmpfs", "boltshuffle");
        assertThat(Contender.all(false, List.of(Baseline.CONNECTIONS_4)).get(1)).satisfies(contender -> {
            assertThat(contender.settings()).containsExactly(entry("spark.shuffle.io.numConnectionsPerPeer", "4"));
            assertThat(contender.onTmpfs()).isFalse();
        });
    }

    @Test
    void ofAnUnfinishedRunWhatWasMeasuredWithOneShuffleIsToldToo() throws Exception {
        stock(8, 0, "a");
        Report alone = report();

        assertThat(comparisons()).isEmpty();
        assertThat(alone.faults()).isEmpty();
        assertThat(alone.toText())
                .contains("not compared: sort 8x8, stock: 8.00 s")
                .doesNotContain("total:");
        JsonNode json = new ObjectMapper().readTree(Json.write(alone.toJson()));
        assertThat(json.at("/unpaired/0/contender").asText()).isEqualTo("stock");
        assertThat(json.at("/unpaired/0/wallSeconds/median").asDouble()).isCloseTo(8, within(1e-9));
        assertThat(json.has("total")).isFalse();

        boltshuffle(4, 0, "a", 1);
        assertThat(report().toText()).contains("total: 0.50").doesNotContain("not compared");
    }

    @Test
    void progressTellsWhatWasMeasuredAtOnce() {
        boltshuffle(2, 1_000, "a", 1);

        assertThat(measured.get(0).summary())
                .isEqualTo("sort 8x8, boltshuffle: 2.00 s, CPU 1.00 s, of it tasks 0.25 s, waiting for blocks 10.0 %, "
                        + "64.0 MB from other hosts");
    }

    @Test
    void anotherAnswerIsAFault() {
        stock(1, 0, "a");
        boltshuffle(1, 0, "b", 1);

        assertThat(report().faults()).singleElement().asString().contains("[b] in place of [a]");
    }

    @Test
    void whatStockItselfAnswersInTwoWaysIsNotHeldAgainstUs() {
        stock(1, 0, "a");
        stock(1, 0, "b");
        boltshuffle(1, 0, "c", 1);

        assertThat(report().faults()).isEmpty();
    }

    @Test
    void whatFailsWithStockIsNotComparedAndWhatFailsWithOursIs() {
        stock(1, 0, "failed: AnalysisException");
        boltshuffle(9, 0, "2 rows ab", 1);
        assertThat(report().toText())
                .contains("not compared, because it fails with stock Spark: sort 8x8, failed: AnalysisException");
        assertThat(report().faults()).containsExactly("everything failed with stock Spark, so nothing was compared");

        measured.clear();
        stock(1, 0, "2 rows ab");
        boltshuffle(1, 0, "failed: SparkException", 1);
        assertThat(comparisons()).allMatch(Comparison::differs);
    }

    @Test
    void timesDoNotCountWhereOnlyAnswersDo() {
        stock(1, 0, "a");
        boltshuffle(9, 0, "a", 1);
        assertThat(new JobResults("", Optional.empty(), MACHINE, MACHINE, measured, true)
                        .report()
                        .faults())
                .isEmpty();
    }

    @Test
    void oneRunByTcpIsAFault() {
        stock(1, 0, "a");
        boltshuffle(1, 0, "a", 1);
        boltshuffle(1, 0, "a", 0.9);

        assertThat(report().faults()).singleElement().asString().contains("only 90.0 %");
    }

    @Test
    void theTableThePageAndTheJsonShowIt() throws Exception {
        stock(2, 4_000, "a");
        boltshuffle(1, 1_000, "a", 1);
        Report report = report();

        assertThat(report.toText().lines())
                .anySatisfy(row ->
                        assertThat(row).contains("sort 8x8", "1.00 (1.00 .. 1.00)", "0.50", "0.25", "10.0%", "holds"));
        assertThat(report.toHtml())
                .contains("<table", "bolt bench job", "sort 8x8")
                .doesNotContain("http", "src=", "href=");
        JsonNode json = new ObjectMapper().readTree(Json.write(report.toJson()));
        assertThat(json.at("/comparisons/0/boltshuffle/fetchWaitShare/median").asDouble())
                .isCloseTo(0.1, within(1e-9));
        assertThat(json.at("/comparisons/0/holds").asBoolean()).isTrue();
    }
}
