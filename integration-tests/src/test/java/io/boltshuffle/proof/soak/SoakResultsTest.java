package io.boltshuffle.proof.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.base.Report;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.soak.SoakResults.Traffic;
import io.boltshuffle.proof.soak.inspark.JobResult;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SoakResultsTest {
    private static final JobResult RIGHT = new JobResult("sorted-0", 900, "ab");

    @Test
    void nothingWrongIsNoFault() {
        Report report = report(List.of(RIGHT, RIGHT), 7, 2, 40, List.of());
        assertThat(report.faults()).isEmpty();
        assertThat(report.toText()).contains("seed 5", "2 jobs, 2 gave", "cable slow 1", "steady");
        assertThat(report.toJson()).containsEntry("right", 2L);
        assertThat(report.toText()).contains("after 1 of 1; the longest time without any was 4.0 s");
        assertThat(report.toHtml()).contains("bolt soak", "cable slow", "<table");
    }

    @Test
    void anotherAnswerAndAFailureAreFaults() {
        Report report = report(
                List.of(new JobResult("sorted-0", 5, "cd"), new JobResult("sorted-0", 5, "failed: lost")),
                0,
                0,
                40,
                List.of());
        assertThat(report.faults())
                .containsExactly("sorted-0 gave something else than stock Spark: cd", "sorted-0 failed: lost");
    }

    @Test
    void damageThatNobodyFoundIsAFault() {
        assertThat(report(List.of(RIGHT), 3, 0, 40, List.of()).faults())
                .containsExactly("3 frames were damaged and no link has found it");
    }

    @Test
    void aLongTimeWithoutRdmaIsAFaultAlsoWhenItCameBack() {
        assertThat(report(List.of(RIGHT), 0, 0, 40, List.of(), 320).faults())
                .containsExactly("no block came by RDMA for 318 s, from 2 s on");
    }

    @Test
    void growthAndHeldMemoryAreFaults() {
        assertThat(report(List.of(RIGHT), 0, 0, 400, List.of("the agent of a has pinnedBytes 1"))
                        .faults())
                .containsExactly("driver: threads grew from 174 to 356", "the agent of a has pinnedBytes 1");
    }

    private static Report report(
            List<JobResult> jobs, long corrupted, long found, double threadsInTheEnd, List<String> unsettled) {
        return report(jobs, corrupted, found, threadsInTheEnd, unsettled, 6);
    }

    /** @param backAtSeconds when a block came by RDMA again; the one before came at 2 s */
    private static Report report(
            List<JobResult> jobs,
            long corrupted,
            long found,
            double threadsInTheEnd,
            List<String> unsettled,
            double backAtSeconds) {
        List<Series.Point> points = IntStream.rangeClosed(0, 200)
                .mapToObj(second ->
                        new Series.Point(second, 1, second * threadsInTheEnd / 200 + 40 * (200 - second) / 200.0))
                .toList();
        return new SoakResults(
                        "4.2.0",
                        5,
                        MachineState.now(),
                        Map.of("sorted-0", "ab"),
                        jobs,
                        List.of(new FaultEvent(Fault.CABLE_SLOW, 3, 2)),
                        new Arrivals(List.of(
                                new Arrivals.Point(0, 0),
                                new Arrivals.Point(2, 10),
                                new Arrivals.Point(5.5, 10),
                                new Arrivals.Point(backAtSeconds, 30))),
                        new Traffic(1_000_000, corrupted, found, Map.of(), Map.of("DEADLINE", 1L), 0, 7),
                        List.of(new Series("driver", WatchedResource.THREADS, points)),
                        unsettled)
                .report();
    }
}
