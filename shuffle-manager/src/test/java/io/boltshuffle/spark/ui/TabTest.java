package io.boltshuffle.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tab's reflection finds its members in the UI and the events of the Spark that the test runs on. */
@Tag("slow")
class TabTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = SparkSession.builder()
                .master("local[2]")
                .appName("tab")
                .config("spark.ui.port", "0")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.plugins", "io.boltshuffle.spark.BoltShufflePlugin")
                .config("spark.shuffle.manager", "io.boltshuffle.spark.BoltShuffleManager")
                .getOrCreate();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    @Test
    void sparkFramesThePageAndServesItsJson() throws Exception {
        assertThat(get("/boltshuffle/")).contains("class=\"boltshuffle\"", "Environment", "Boltshuffle");
        assertThat(get("/boltshuffle/json")).startsWith("{\"schema\":1,");
    }

    @Test
    void stagesOfAQueryAreCalledAsTheQueryIs() {
        assertThat(spark.range(0, 1_000, 1, 4)
                        .selectExpr("id % 10 AS k")
                        .groupBy("k")
                        .count()
                        .count())
                .isEqualTo(10);

        await().untilAsserted(() ->
                assertThat(get("/boltshuffle/json")).containsPattern("count at TabTest[^\"]*\\(query \\d+\\)"));
    }

    private static String get(String path) throws IOException, InterruptedException {
        URI page = URI.create(spark.sparkContext().uiWebUrl().get() + path);
        HttpResponse<String> answer = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build()
                .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }
}
