package io.boltshuffle.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.spark.report.ShuffleReported;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.util.JsonProtocol;
import org.junit.jupiter.api.Test;

class ReportLogTest {
    private final ReportLog log = new ReportLog();

    @Test
    void aLongApplicationLogsALimitedNumberOfReports() {
        int day = 24 * 3_600;
        List<ShuffleReported> logged = new ArrayList<>();
        for (int second = 0; second < day; second += 2) {
            log.offer(Reports.fromA(second * 1_000L, second, 0), false).ifPresent(logged::add);
        }

        assertThat(logged).hasSizeBetween(ReportLog.REPORTS_PER_INTERVAL, 12 * ReportLog.REPORTS_PER_INTERVAL);
    }

    @Test
    void whatALeftOutReportSaidOfItsStagesGoesWithTheNextOne() {
        assertThat(log.offer(Reports.fromA(0, 1, 0), false)).isPresent();
        assertThat(log.offer(Reports.fromA(10, 2, 0), false)).isEmpty();

        assertThat(log.rest())
                .singleElement()
                .satisfies(event -> assertThat(event.report().traffic().stages())
                        .singleElement()
                        .satisfies(stage -> assertThat(stage.rdmaBytes()).isEqualTo(2)));
        assertThat(log.rest()).isEmpty();
    }

    @Test
    void anUrgentReportIsNeverLeftOut() {
        log.offer(Reports.fromA(0, 1, 0), false);

        assertThat(log.offer(Reports.fromA(1, 2, 0), true)).isPresent();
    }

    @Test
    void sparkWritesAReportToItsEventLogAndReadsItBack() {
        ShuffleReported event = Reports.fromA(7, 100, 10, Reports.link("b", "en2", "en5", "UP", 5));

        String line = JsonProtocol.sparkEventToJsonString(event);

        assertThat(line).contains("\"Event\":\"io.boltshuffle.spark.report.ShuffleReported\"");
        assertThat(JsonProtocol.sparkEventFromJson(line)).isEqualTo(event);
    }
}
