package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.integration.demo.TabPages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Looks at what the tab shows of a job whose blocks go over a virtual cable. */
@Tag("ci")
class UiTabTest {
    private static final String UP_CABLE = "127.0.0.2 rdma_en5:1 – 127.0.0.3 rdma_en5:1: UP";

    @Test
    void hostsCableStagesAndBytesAreThereWhileItRunsAndAfterwards(@TempDir Path directory) throws Exception {
        Path eventLogs = Files.createDirectories(directory.resolve("events"));
        String application;
        try (AgentPair agents =
                        new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND).startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context = new JavaSparkContext(conf(hosts, agents, eventLogs))) {
            application = context.sc().applicationId();
            long keys = context.parallelize(IntStream.range(0, 20_000).boxed().toList(), 4)
                    .mapToPair(row -> new Tuple2<>(row % 100, new byte[200]))
                    .groupByKey(4)
                    .count();
            assertThat(keys).isEqualTo(100);
            SparkSession session = SparkSession.builder().getOrCreate();
            assertThat(session.range(0, 1_000, 1, 4).groupBy("id").count().count())
                    .isEqualTo(1_000);

            String live = TabPages.live(context, page -> page.contains(UP_CABLE) && byRdma(page));
            assertThat(live).contains("http-equiv=\"refresh\"", "<h4>Time of a fetch</h4>", "<td>100 %</td>");
            assertThat(TabPages.json(context))
                    .containsPattern("\"rdmaBytes\":[1-9]")
                    .contains("\"schema\":1,", "\"rdmaShare\":1.0", "\"state\":\"UP\"", "count at UiTabTest.java");
        }

        String afterwards = TabPages.afterwards(eventLogs, application);
        assertThat(afterwards)
                .matches(UiTabTest::byRdma, "shows bytes by RDMA")
                .contains(UP_CABLE, "<h4>Cable events</h4>", "<td>100 %</td>", "count at UiTabTest.java")
                .as("a stage of a query is called as the query is, not as the thread of Spark's that submits it")
                .containsPattern("<td>count at UiTabTest.java:\\d+ \\(query 0\\)</td>")
                .doesNotContain("withThreadLocalCaptured")
                .doesNotContain("http-equiv=\"refresh\"");
    }

    private static boolean byRdma(String page) {
        return page.matches("(?s).*By RDMA:</strong> [1-9].*");
    }

    private static SparkConf conf(TwoHosts hosts, AgentPair agents, Path eventLogs) {
        return TabPages.configure(agents.applyTo(hosts.applicationConf("ui-tab")), eventLogs);
    }
}
