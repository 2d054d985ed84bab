package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.integration.ShuffleServices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.package$;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster whose external shuffle services are of a newer Spark than its master, workers and applications. */
@Tag("ladder")
@ExtendWith(OneClusterAtATime.class)
class NewerShuffleServiceTest {
    private static final String OURS = "io.boltshuffle.spark.BoltShuffleManager";

    private final ClusterCommands cluster;

    NewerShuffleServiceTest(@TempDir Path directory) throws IOException {
        this.cluster = new ClusterCommands(BuiltCheckout.in(directory.resolve("c")));
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        cluster.stop();
    }

    /** Executors that are idle go; others take their place, and read what the first ones left to the services. */
    @ParameterizedTest
    @ValueSource(strings = {"sort", OURS})
    void executorsThatAreIdleLeaveTheirOutputsToIt(String manager) throws Exception {
        UnpackedBolt.requireRoomForHosts(2);
        assertThat(package$.MODULE$.SPARK_VERSION()).startsWith("4.");
        try (ShuffleServices services = ShuffleServices.start()) {
            cluster.run(0, "bolt cluster start --spark 3.5 --executor-memory 600m --slab 64m");
            String master = cluster.status(0).path("master").asText();

            String out = cluster.run(0, program(master, manager, services)).out();

            assertThat(out).contains(IdleExecutorsProgram.RELEASE + "3.5.");
            long rdmaBytes = cluster.status(0).path("rdmaBytes").asLong();
            if (manager.equals(OURS)) {
                // More than the first reading brought: so others did, when the executors that wrote had gone.
                assertThat(rdmaBytes).isGreaterThan(firstBytes(out));
            } else {
                assertThat(rdmaBytes).isZero();
            }
        }
    }

    private static long firstBytes(String out) {
        Matcher said = Pattern.compile(IdleExecutorsProgram.FIRST + "(\\d+)").matcher(out);
        assertThat(said.find()).as(out).isTrue();
        return Long.parseLong(said.group(1));
    }

    private static String program(String master, String manager, ShuffleServices services) {
        return String.join(
                " ",
                List.of(
                        "bolt spark-submit --spark 3.5 --master",
                        master,
                        "--driver-class-path '"
                                + UnpackedBolt.classPathOf(
                                        IdleExecutorsProgram.class, Awaitility.class, org.hamcrest.Matcher.class)
                                + "'",
                        "--conf spark.shuffle.manager=" + manager,
                        "--conf spark.boltshuffle.enabled=" + manager.equals(OURS), // the plugin carries sort's, too
                        "--conf spark.shuffle.service.enabled=true",
                        "--conf spark.shuffle.service.port=" + services.port(),
                        "--conf spark.dynamicAllocation.enabled=true",
                        "--conf spark.dynamicAllocation.minExecutors=0",
                        "--conf spark.dynamicAllocation.initialExecutors=2",
                        "--conf spark.dynamicAllocation.maxExecutors=2",
                        "--conf spark.dynamicAllocation.executorIdleTimeout=5s",
                        "--conf spark.executor.cores=1",
                        "--class " + IdleExecutorsProgram.class.getName(),
                        // Any jar: the classes are on the driver's class path.
                        "spark-conf/target/lib/boltshuffle-cli-*.jar"));
    }
}
