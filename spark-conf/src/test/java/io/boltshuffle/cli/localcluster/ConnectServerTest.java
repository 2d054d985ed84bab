package io.boltshuffle.cli.localcluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.runtime.UserCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server of Spark Connect, on a local cluster that this process stands for. */
class ConnectServerTest {
    private static final String MASTER = "spark://127.0.0.1:7077";
    private static final List<String> SERVER =
            List.of("--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal");

    private final LocalCluster cluster;
    private final Path jars;

    ConnectServerTest(@TempDir Path directory) throws IOException {
        this.jars = Files.createDirectories(directory.resolve("spark/jars"));
        this.cluster = LocalCluster.of(new UserCache(directory));
        Files.createDirectories(cluster.root());
        new RunDirectory(cluster.root(), true).record("master", ProcessHandle.current());
        cluster.describe(new ClusterDescription(
                MASTER,
                "http://127.0.0.1:8080",
                "4.2.0",
                directory.resolve("spark").toString(),
                List.of("127.0.0.2"),
                1,
                "1g",
                CableKind.SEND,
                "",
                Map.of("spark.cores.max", "1")));
    }

    @Test
    void isRefusedWhereExecutorsWouldLackItsClasses() {
        assertThatThrownBy(() -> cluster.requireConnect(MASTER, SERVER))
                .hasMessageContaining("has no jar of Spark Connect")
                .hasMessageContaining("SPARK_HOME");
    }

    @Test
    void isLetWhereTheJarIsAndOnOtherMastersAndSoAreOtherPrograms() throws IOException {
        assertThatCode(() -> cluster.requireConnect("spark://mac1:7077", SERVER))
                .doesNotThrowAnyException();
        assertThatCode(() -> cluster.requireConnect(MASTER, List.of("--class", "my.Main")))
                .doesNotThrowAnyException();

        Files.createFile(jars.resolve("spark-connect_2.13-4.2.0.jar"));
        assertThatCode(() -> cluster.requireConnect(MASTER, SERVER)).doesNotThrowAnyException();
    }
}
