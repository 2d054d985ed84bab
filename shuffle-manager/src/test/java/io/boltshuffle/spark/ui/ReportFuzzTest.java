package io.boltshuffle.spark.ui;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.boltshuffle.spark.report.ExecutorReport;
import io.boltshuffle.spark.report.ReportJson;
import io.boltshuffle.spark.report.ShuffleReported;
import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** Damages what executors report to the driver, on its way to the page. */
@Tag("slow")
class ReportFuzzTest extends FuzzContract {

    @Override
    protected int thinning() {
        return 4;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        ExecutorReport report = Reports.fromA(1, 1 << 20, 5, Reports.link("b", "en1:1", "en2:1", "UP", 1 << 20))
                .report();
        return Stream.of(FuzzTarget.ofText(
                "executor-report",
                ReportFuzzTest::show,
                Set.of(JsonProcessingException.class),
                ReportJson.write(report)));
    }

    private static void show(String report) throws JsonProcessingException {
        ShuffleHistory history = new ShuffleHistory();
        history.reported(new ShuffleReported(1, ReportJson.read(report, ExecutorReport.class)));
        history.picture(2);
    }
}
