package io.boltshuffle.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.job.JobOutcome;
import io.boltshuffle.cli.job.JobSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutputCheckTest {
    private static final Path DATA = Path.of("data");
    private static final List<Workload> WORKLOADS = List.of(
            new TeraSortWorkload(DATA, new Sizing(1 << 20, 2)),
            new TablesWorkload(DemoJob.FEATURE_PREP, "FeaturePrep", DATA, new Sizing(1 << 20, 2), Map.of()),
            new TablesWorkload(DemoJob.SALES_WALK, "SalesWalk", DATA, new Sizing(1 << 20, 2), Map.of()));

    private final List<String> ran = new ArrayList<>();

    @Test
    void rightOutputsAreCheckedInOneJvm() {
        Map<String, Demo.Verdict> verdicts = Demo.check(WORKLOADS, job -> {
            ran.add(job.name());
            return new JobOutcome(0, List.of("sorted", "10 rows", "20 rows"));
        });

        assertThat(ran).containsExactly("checks");
        assertThat(verdicts)
                .isEqualTo(Map.of(
                        "terasort",
                        new Demo.Verdict(true, "sorted"),
                        "feature-prep",
                        new Demo.Verdict(true, "10 rows"),
                        "sales-walk",
                        new Demo.Verdict(true, "20 rows")));
    }

    @Test
    void aWrongOutputIsFoundByCheckingEachByItself() {
        Map<String, Demo.Verdict> verdicts = Demo.check(WORKLOADS, this::runWithAWrongSalesWalk);

        assertThat(ran).containsExactly("checks", "terasort-check", "feature-prep-check", "sales-walk-check");
        assertThat(verdicts.values()).extracting(Demo.Verdict::valid).containsExactlyInAnyOrder(true, true, false);
        assertThat(verdicts.get("sales-walk")).isEqualTo(new Demo.Verdict(false, "row missing"));
    }

    private JobOutcome runWithAWrongSalesWalk(JobSpec job) {
        ran.add(job.name());
        Path salesWalk = DATA.resolve("sales-walk");
        boolean wrong = job.arguments().stream().anyMatch(word -> Path.of(word).startsWith(salesWalk));
        if (wrong) {
            throw BoltException.failed("row missing");
        }
        return new JobOutcome(0, List.of("right"));
    }
}
