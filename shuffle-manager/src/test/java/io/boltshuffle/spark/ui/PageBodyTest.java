package io.boltshuffle.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.draw.Figures;
import io.boltshuffle.spark.report.ReportJson;
import io.boltshuffle.spark.report.ShuffleReported;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageBodyTest {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void agentsAreShownWithWhatIsCopiedForgottenQuarantinedAndLeaked(boolean live) throws JsonProcessingException {
        ShuffleHistory history = new ShuffleHistory();
        // As it comes from the driver plugin, or out of an event log, into which Spark writes it.
        String json = new ObjectMapper().writeValueAsString(Reports.fromA(0, 100, 10));
        history.reported(ReportJson.read(json, ShuffleReported.class));

        assertThat(new PageBody(live).html(history.picture(1_000)))
                .contains("Copied to the heap", "Forgotten blocks", "Quarantined", "Leaked regions")
                .contains(">2.9 MiB<", ">13<", ">17<");
    }

    /** An executor of a release before these were counted, in an event log. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void reportsThatLackTheseCountsAreRead(boolean live) throws JsonProcessingException {
        String json = new ObjectMapper()
                .writeValueAsString(Reports.fromA(0, 100, 10))
                .replace("\"copiedOutBytes\":3000000,\"forgottenBlocks\":13,", "")
                .replace("\"leakedRegions\":17,", "");
        assertThat(json).doesNotContain("copiedOut", "forgotten", "leaked");
        ShuffleHistory history = new ShuffleHistory();
        history.reported(ReportJson.read(json, ShuffleReported.class));

        assertThat(new PageBody(live).html(history.picture(1_000)))
                .contains("Forgotten blocks")
                .doesNotContain(">13<");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whereNoCableIsThePageSaysWhatTheAgentSawAndWhatToDo(boolean live) {
        ShuffleHistory history = new ShuffleHistory();
        history.reported(Reports.withoutCable("no port here faces one of b's"));

        assertThat(new PageBody(live).html(history.picture(1_000)))
                .contains("<h4>Cables</h4>", "No agent has a link over a cable")
                .contains("<td>b</td><td>no cable</td><td>no port here faces one of b&#39;s</td>")
                .contains("bolt doctor");
    }

    @Test
    void aHostWithACableIsNotListedAsOneWithout() {
        ShuffleHistory history = new ShuffleHistory();
        history.reported(Reports.fromA(0, 100, 0, Reports.link("b", "en2", "en5", "UP", 7_000)));

        assertThat(new PageBody(true).html(history.picture(1_000)))
                .contains("<h4>Cables</h4>")
                .doesNotContain("Why there is no cable");
    }

    @Test
    void stagesShowWhoWroteTheirMapOutputsAndWhy() {
        ShuffleHistory history = new ShuffleHistory();
        history.stageSubmitted(3, 0, "count at Job.java:7");
        history.reported(Reports.fromA(0, 0, 0));

        assertThat(new PageBody(true).html(history.picture(1_000)))
                .contains("<h4>Map outputs, and who wrote them</h4>")
                .contains("<td>count at Job.java:7</td>", "<td>3 (map side combine)</td>", "<td>5</td>")
                .contains("<td>4096</td>", "<td>32.0 KiB</td>")
                .doesNotContain("<h4>Stages</h4>");
    }

    @Test
    void whatAUserHasToKnowStandsBeforeAnythingElse() {
        ShuffleHistory history = new ShuffleHistory();
        history.noticed(new Notice("unknown_spark", "This is Spark <4.9>."));
        String nothingElse = new PageBody(true).html(history.picture(1_000));
        history.reported(Reports.fromA(0, 100, 10));

        assertThat(nothingElse).contains("This is Spark &lt;4.9&gt;.").doesNotContain("No executor has reported");
        assertThat(new PageBody(true).html(history.picture(1_000)))
                .containsSubsequence("This is Spark &lt;4.9&gt;.", "Remote shuffle bytes", "Hosts and cables");
    }

    @Test
    void titlesThatOnlyInsidersKnowAreExplained() {
        ShuffleHistory history = new ShuffleHistory();
        history.reported(Reports.fromA(0, 100, 10, Reports.link("b", "en2", "en5", "UP", 7_000)));

        String page = new PageBody(true).html(history.picture(1_000));

        for (String term : List.of("Pool", "Quarantined", "Time of a stripe", "Detail", "Peak")) {
            assertThat(page).containsPattern("<th title=\"[^\"]{30,}\"><span class=\"bolt-term\">" + term + "</span>");
        }
    }

    @Test
    void besideTheTimeOfAFetchStandsHowMuchItBrings() {
        ShuffleHistory history = new ShuffleHistory();
        history.reported(Reports.fromA(0, 100, 10));

        assertThat(new PageBody(true).html(history.picture(1_000)))
                .contains("<td>5</td><td>3.0 MiB</td><td>1.50 ms</td>")
                .containsPattern("<th title=\"[^\"]{30,}\"><span class=\"bolt-term\">Bytes of each</span>");
    }

    @Test
    void theChartEndsNow() {
        ShuffleHistory history = new ShuffleHistory();
        history.reported(Reports.fromA(0, 0, 0));
        history.reported(Reports.fromA(1_000, 5_000, 0));

        assertThat(new PageBody(true).html(history.picture(3_600_000)))
                .contains("text-anchor=\"end\" x=\"1240\"")
                .contains(">" + Figures.time(3_600_000) + "</text>");
    }

    @Test
    void theOnlyCablesPeakIsTheChartsHighest() {
        ShuffleHistory history = new ShuffleHistory();
        history.reported(Reports.fromA(0, 0, 0, Reports.link("b", "en2", "en5", "UP", 0)));
        history.reported(Reports.fromA(1_000, 4 << 20, 0, Reports.link("b", "en2", "en5", "UP", 4 << 20)));
        // Less than a second after the one before: no rate of its own.
        history.reported(Reports.fromA(2_000, 12 << 20, 0, Reports.link("b", "en2", "en5", "UP", 12 << 20)));
        history.reported(Reports.fromA(2_010, 13 << 20, 0, Reports.link("b", "en2", "en5", "UP", 13 << 20)));

        assertThat(new PageBody(true).html(history.picture(2_010))).contains("most: 8.0 MiB/s", "<td>8.0 MiB/s</td>");
    }
}
