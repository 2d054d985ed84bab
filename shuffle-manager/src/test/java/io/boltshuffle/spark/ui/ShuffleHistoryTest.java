package io.boltshuffle.spark.ui;

import static io.boltshuffle.spark.ui.Reports.fromA;
import static io.boltshuffle.spark.ui.Reports.fromExecutor;
import static io.boltshuffle.spark.ui.Reports.link;
import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.spark.report.BlockTraffic;
import io.boltshuffle.spark.report.ReportJson;
import java.util.Map;
import org.apache.spark.executor.TaskMetrics;
import org.junit.jupiter.api.Test;

class ShuffleHistoryTest {
    private final ShuffleHistory history = new ShuffleHistory();

    @Test
    void countsOfAllExecutorsAddUpByTransportAndReason() {
        history.reported(fromExecutor(0, "1", "a", 100, 10));
        history.reported(fromExecutor(0, "2", "b", 200, 20));
        history.reported(fromExecutor(1_000, "2", "b", 300, 30));

        Picture picture = history.picture(1_000);
        assertThat(picture.rdmaBytes()).isEqualTo(400);
        assertThat(picture.nettyBytes()).containsExactly(Map.entry("no_cable", 40L));
        assertThat(picture.hosts()).extracting(Picture.Host::name).containsExactly("a", "b");
    }

    @Test
    void blocksInMemoryAddUpByClassOverExecutorsAndTheDriverWhichIsNoExecutor() {
        history.reported(Reports.ofBlocks("1", new BlockTraffic("broadcast", 100, 10, 3, 1)));
        history.reported(Reports.ofBlocks(
                "2", new BlockTraffic("broadcast", 200, 0, 5, 0), new BlockTraffic("cached", 7, 0, 1, 0)));
        history.reported(Reports.ofBlocks("driver", new BlockTraffic("result", 50, 0, 1, 0)));

        Picture picture = history.picture(1_000);
        assertThat(picture.blocks())
                .containsExactly(
                        new BlockTraffic("broadcast", 300, 10, 8, 1),
                        new BlockTraffic("cached", 7, 0, 1, 0),
                        new BlockTraffic("result", 50, 0, 1, 0));
        assertThat(picture.hosts())
                .singleElement()
                .satisfies(host -> assertThat(host.executors()).isEqualTo(2));
    }

    @Test
    void blocksOfExecutorsThatAreNoLongerKeptStillCount() {
        for (int executor = 0; executor < 2_000; executor++) {
            history.reported(Reports.ofBlocks("" + executor, new BlockTraffic("cached", 5, 0, 1, 0)));
        }

        assertThat(history.picture(1_000).blocks()).containsExactly(new BlockTraffic("cached", 10_000, 0, 2_000, 0));
    }

    @Test
    void aHostShowsWhatItsExecutorsCopiedAndForgotAndWhatItsAgentLeaked() {
        history.reported(fromExecutor(0, "1", "a", 100, 10));
        history.reported(fromExecutor(0, "2", "a", 200, 20));
        history.reported(fromExecutor(0, "3", "b", 200, 20));

        assertThat(history.picture(1_000).hosts().get(0)).satisfies(host -> {
            assertThat(host.copiedOutBytes()).isEqualTo(2 * Reports.COPIED_OUT_BYTES);
            assertThat(host.forgottenBlocks()).isEqualTo(2 * Reports.FORGOTTEN_BLOCKS);
            assertThat(host.agent().leakedRegions()).isEqualTo(Reports.LEAKED_REGIONS);
        });
    }

    @Test
    void executorsThatAreNoLongerKeptStillCount() {
        for (int executor = 0; executor < 2_000; executor++) {
            history.reported(fromExecutor(executor, "" + executor, "a", 5, 7));
        }

        Picture picture = history.picture(2_000);
        assertThat(picture.rdmaBytes()).isEqualTo(10_000);
        assertThat(picture.allNettyBytes()).isEqualTo(14_000);
        assertThat(picture.latency()).hasSizeLessThan(1_000);
    }

    @Test
    void anExecutorThatStillReportsIsKeptLongerThanSilentOnes() {
        for (int executor = 0; executor < 2_000; executor++) {
            history.reported(fromExecutor(executor, "" + executor, "a", 5, 7));
            history.reported(fromExecutor(executor, "living", "b", 100 + executor, 0));
        }

        assertThat(history.picture(2_000).rdmaBytes()).isEqualTo(2_000 * 5 + 100 + 1_999);
    }

    @Test
    void aCableThatIsPluggedInAtAnotherPortIsDrawnThereOnly() {
        history.reported(fromExecutor(0, "1", "a", 0, 0, link("b", "en2", "en5", "UP", 7_000)));
        history.reported(fromExecutor(0, "2", "b", 0, 0, link("a", "en5", "en2", "UP", 9_000)));
        history.reported(fromExecutor(1_000, "2", "b", 0, 0, link("a", "en6", "en2", "UP", 10)));
        history.reported(fromExecutor(1_000, "1", "a", 0, 0, link("b", "en2", "en6", "UP", 20)));

        assertThat(history.picture(1_000).cables()).singleElement().satisfies(cable -> {
            assertThat(cable.name()).contains("en2", "en6");
            assertThat(cable.isUp()).isTrue();
            assertThat(cable.bytes()).isEqualTo(30);
        });
    }

    @Test
    void stagesThatAreForgottenDoNotComeBackAsTheNewest() {
        for (int stage = 0; stage < 600; stage++) {
            history.stageSubmitted(stage, 0, "stage " + stage);
            TaskMetrics task = new TaskMetrics();
            task.shuffleWriteMetrics().incBytesWritten(1);
            history.taskEnded(stage, 0, task);
        }
        history.reported(fromExecutor(0, "1", "a", 100, 50)); // for stage 3

        assertThat(history.picture(1_000).stages())
                .first()
                .satisfies(stage -> assertThat(stage.name()).isEqualTo("stage 599"));
    }

    @Test
    void aCableThatBothEndsReportIsDrawnOnceWithTheTrafficOfBothDirections() {
        history.reported(fromExecutor(0, "1", "a", 0, 0, link("b", "en2", "en5", "UP", 7_000)));
        history.reported(fromExecutor(0, "2", "b", 0, 0, link("a", "en5", "en2", "UP", 9_000)));
        history.reported(fromExecutor(1_000, "1", "a", 0, 0, link("b", "en2", "en5", "UP", 7_500)));
        history.reported(fromExecutor(2_000, "2", "b", 0, 0, link("a", "en5", "en2", "UP", 9_200)));

        assertThat(history.picture(2_000).cables()).singleElement().satisfies(cable -> {
            assertThat(cable.isUp()).isTrue();
            assertThat(cable.bytes()).as("since this application began").isEqualTo(700);
            assertThat(cable.bytesPerSecond()).isEqualTo(600);
        });
    }

    @Test
    void whatACableCarriedBeforeTheAgentFirstAnsweredIsNotThisApplications() {
        history.reported(Reports.withoutAgent(0));
        history.reported(fromA(1_000, 0, 0, link("b", "en2", "en5", "UP", 7_000)));
        history.reported(fromA(2_000, 0, 0, link("b", "en2", "en5", "UP", 7_500)));

        assertThat(history.picture(2_000).cables().get(0).bytes()).isEqualTo(500);
    }

    @Test
    void aCableThatComesLaterThanItsAgentsFirstAnswerCountsFromItsFirstByte() {
        history.reported(fromA(0, 0, 0));
        history.reported(Reports.withoutAgent(1_000));
        history.reported(fromA(2_000, 0, 0, link("b", "en2", "en5", "UP", 300)));

        assertThat(history.picture(2_000).cables().get(0).bytes()).isEqualTo(300);
    }

    @Test
    void withoutNewReportsNothingMovesAnyMore() {
        history.reported(fromA(0, 0, 0, link("b", "en2", "en5", "UP", 0)));
        history.reported(fromA(1_000, 4_000, 0, link("b", "en2", "en5", "UP", 4_000)));

        assertThat(history.picture(1_500).cables().get(0).bytesPerSecond()).isEqualTo(4_000);
        assertThat(history.picture(60_000).cables().get(0).bytesPerSecond()).isZero();
        assertThat(history.picture(60_000).cables().get(0).peakPerSecond()).isEqualTo(4_000);
    }

    @Test
    void aCableThatGoesDownIsAnEventAndTheCableIsNotUp() {
        boolean first = history.reported(fromA(0, 0, 0, link("b", "en2", "en5", "UP", 0)));
        boolean same = history.reported(fromA(1_000, 0, 0, link("b", "en2", "en5", "UP", 0)));
        boolean down = history.reported(fromA(2_000, 0, 0, link("b", "en2", "en5", "DOWN", 0)));
        boolean gone = history.reported(fromA(3_000, 0, 0));

        assertThat(first).isTrue();
        assertThat(same).isFalse();
        assertThat(down).isTrue();
        assertThat(gone).isTrue();
        assertThat(history.picture(3_000).events())
                .extracting(Picture.LinkEvent::state)
                .containsExactly("GONE", "DOWN", "UP");
        assertThat(history.picture(3_000).cables().get(0).isUp()).isFalse();
    }

    @Test
    void aCableThatItsAgentListsNoMoreSaysWhatTheAgentKnowsOfTheOtherHost() {
        history.reported(fromA(0, 0, 0, link("b", "en2", "en5", "UP", 0)));
        history.reported(Reports.withoutCable("CABLE_PULLED: down since 20:16:02: port en5 of b"));

        Picture picture = history.picture(3_000);
        assertThat(picture.cables().get(0).state()).isEqualTo("PULLED");
        assertThat(picture.cables().get(0).detail()).isEqualTo("down since 20:16:02: port en5 of b");
        assertThat(picture.events().get(0).detail()).contains("port en5 of b");
    }

    @Test
    void stagesShowWhatEveryExecutorFetchedForThem() {
        history.stageSubmitted(3, 0, "collect at Job.java:7");
        history.reported(fromExecutor(0, "1", "a", 100, 50));
        history.reported(fromExecutor(0, "2", "b", 200, 0));

        assertThat(history.picture(0).stages()).singleElement().satisfies(stage -> {
            assertThat(stage.name()).isEqualTo("collect at Job.java:7");
            assertThat(stage.rdmaBytes()).isEqualTo(300);
            assertThat(stage.nettyBytes()).isEqualTo(50);
        });
    }

    @Test
    void stagesShowWhatEveryExecutorWroteForThemAndWhyByWhom() {
        history.reported(fromExecutor(0, "1", "a", 100, 50));
        history.reported(fromExecutor(0, "2", "b", 200, 0));
        TaskMetrics task = new TaskMetrics();
        task.shuffleWriteMetrics().incBytesWritten(5_000);
        task.shuffleWriteMetrics().incWriteTime(7_000_000);
        history.taskEnded(3, 0, task);

        assertThat(history.picture(0).stages())
                .singleElement()
                .extracting(Picture.Stage::writes)
                .isEqualTo(new Picture.Writes(5_000, 7, 2_000, 4, 10, Map.of("map_side_combine", 6L)));
        assertThat(history.picture(0).writers())
                .containsExactly(new Picture.Writer("a", 4_096, 32 << 10), new Picture.Writer("b", 4_096, 32 << 10));
    }

    @Test
    void whatAnOlderReleaseStoredIsReadWithoutWrites() throws Exception {
        history.reported(fromA(0, 100, 10));
        String json = ReportJson.write(history.picture(0));
        String older = json.replaceAll(",\"writes\":\\{[^}]*\\{[^}]*}}", "").replaceAll(",\"writers\":\\[[^]]*]", "");
        assertThat(older).doesNotContain("write");

        Picture picture = ReportJson.read(older, Picture.class);

        assertThat(picture.stages())
                .singleElement()
                .extracting(Picture.Stage::writes)
                .isEqualTo(Picture.Writes.NONE);
        assertThat(picture.writers()).isEmpty();
    }

    @Test
    void aPictureSurvivesItsJsonForm() throws Exception {
        history.reported(fromA(0, 100, 10, link("b", "en2", "en5", "UP", 0)));
        Picture picture = history.picture(0);

        assertThat(ReportJson.read(ReportJson.write(picture), Picture.class)).isEqualTo(picture);
    }
}
