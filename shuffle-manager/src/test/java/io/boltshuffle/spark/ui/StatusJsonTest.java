package io.boltshuffle.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.apache.spark.executor.TaskMetrics;
import org.junit.jupiter.api.Test;

/** The names by which programs read the tab. */
class StatusJsonTest {
    private final ShuffleHistory history = new ShuffleHistory();

    @Test
    void theShareTheReasonAndTheCableAreThere() throws IOException {
        history.reported(Reports.fromA(1_000, 300, 100, Reports.link("b", "rdma_en2", "rdma_en5", "UP", 300)));
        history.stageSubmitted(3, 0, "count at <console>:1");

        JsonNode json = json();

        assertThat(json.path("schema").asInt()).isEqualTo(StatusJson.SCHEMA);
        assertThat(json.path("remoteBytes").asLong()).isEqualTo(400);
        assertThat(json.path("rdmaBytes").asLong()).isEqualTo(300);
        assertThat(json.path("tcpBytes").asLong()).isEqualTo(100);
        assertThat(json.path("rdmaShare").asDouble()).isEqualTo(0.75);
        assertThat(json.path("tcpReasons").path(0).path("reason").asText()).isEqualTo("no_cable");
        assertThat(json.path("tcpReasons").path(0).path("remedy").asText()).contains("bolt doctor");
        assertThat(json.path("hosts").path(0).path("name").asText()).isEqualTo("a");
        assertThat(json.path("hosts").path(0).path("agentProblem").asText()).isEmpty();
        assertThat(json.path("cables").path(0).path("other").path("port").asText())
                .isEqualTo("rdma_en5");
        assertThat(json.path("cables").path(0).path("state").asText()).isEqualTo("UP");
        assertThat(json.path("stages").path(0).path("name").asText()).isEqualTo("count at <console>:1");
    }

    @Test
    void hostsThatNoCableJoinsSayWhy() throws IOException {
        history.reported(Reports.withoutCable("CABLE_PULLED: down since 20:16:02: port en5 of b"));

        JsonNode apart = json().path("apart").path(0);

        assertThat(apart.path("host").asText() + apart.path("otherHost").asText())
                .isEqualTo("ab");
        assertThat(apart.path("detail").asText()).contains("port en5 of b");
    }

    @Test
    void aHostThatNoFetchAskedForIsNoneWithoutACable() throws IOException {
        history.reported(Reports.withoutCable(""));

        assertThat(json().path("apart")).isEmpty();
    }

    @Test
    void ofAStageItTellsHowLongCollectorsStoppedItsTasks() throws IOException {
        TaskMetrics task = new TaskMetrics();
        task.shuffleWriteMetrics().incBytesWritten(1);
        task.setExecutorRunTime(100);
        task.setJvmGCTime(7);
        history.taskEnded(3, 0, task);
        history.taskEnded(3, 0, task);

        JsonNode stage = json().path("stages").path(0);

        assertThat(stage.path("runMillis").asLong()).isEqualTo(200);
        assertThat(stage.path("gcMillis").asLong()).isEqualTo(14);
    }

    @Test
    void beforeAnythingWasFetchedThereIsNoShare() throws IOException {
        JsonNode json = json();

        assertThat(json.path("rdmaShare").isNull()).isTrue();
        assertThat(json.path("hosts")).isEmpty();
    }

    @Test
    void whatAUserHasToKnowHasANameForPrograms() throws IOException {
        assertThat(json().path("notices").isArray()).isTrue();
        history.noticed(new Notice("unknown_spark", "This is Spark 4.9.0."));

        assertThat(json().path("notices").path(0).path("name").asText()).isEqualTo("unknown_spark");
        assertThat(json().path("notices").path(0).path("text").asText()).isEqualTo("This is Spark 4.9.0.");
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(StatusJson.of(history.picture(1_000)).text());
    }
}
