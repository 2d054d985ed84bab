package io.boltshuffle.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.boltshuffle.spark.report.ReportJson;
import io.boltshuffle.spark.report.ShuffleReported;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageBodyTest {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void agentsAreShownWithWhatIsCopiedForgottenQuarantinedAndLeaked(boolean live) throws JsonProcessingException {
        ShuffleHistory history = new ShuffleHistory();
        // As it comes from the driver plugin, or out of an event log.
        String json = ReportJson.write(Reports.fromA(0, 100, 10));
        history.reported(ReportJson.read(json, ShuffleReported.class));

        assertThat(new PageBody(live).html(history.picture(1_000)))
                .contains("Copied to the heap", "Forgotten blocks", "Quarantined", "Leaked regions")
                .contains(">3.00 MB<", ">13<", ">17<");
    }

    /** An executor of a release before these were counted, in an event log. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void reportsThatLackTheseCountsAreRead(boolean live) throws JsonProcessingException {
        String json = ReportJson.write(Reports.fromA(0, 100, 10))
                .replace("\"copiedOutBytes\":3000000,\"forgottenBlocks\":13,", "")
                .replace("\"leakedRegions\":17,", "");
        assertThat(json).doesNotContain("copiedOut", "forgotten", "leaked");
        ShuffleHistory history = new ShuffleHistory();
        history.reported(ReportJson.read(json, ShuffleReported.class));

        assertThat(new PageBody(live).html(history.picture(1_000)))
                .contains("Forgotten blocks")
                .doesNotContain(">13<");
    }
}
