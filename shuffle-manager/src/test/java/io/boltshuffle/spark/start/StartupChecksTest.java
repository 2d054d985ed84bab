package io.boltshuffle.spark.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartupChecksTest {
    private static final String PLUGIN = "io.boltshuffle.spark.BoltShufflePlugin";
    private static final String JAR = "file:/opt/boltshuffle-spark_2.13-0.1.0.jar";

    @ParameterizedTest
    @ValueSource(
            strings = {"3.5.9", "4.0.4", "4.1.3", "4.2.0", "4.2.0-preview5", "4.3.0", "4.3.17", "3.5.3-amzn-0", "4.2"})
    void releasesOfKnownLinesPass(String version) {
        assertThat(StartupChecks.leftToSpark(version, "2.13.18", false)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"4.9.0", "4.4.0-SNAPSHOT", "4.30.0", "3.6.0", "5.0.0", "unknown"})
    void aLineThatIsNotKnownYetKeepsItsOwnShuffleUnlessItIsToBeTried(String version) {
        assertThat(StartupChecks.leftToSpark(version, "2.13.18", false))
                .contains("Shuffles go by Spark's own code and TCP: this is Spark " + version
                        + " with Scala 2.13.18, and boltshuffle was made for Spark 3.5 to 4.3 with Scala 2.13; "
                        + "use a newer boltshuffle, or set spark.boltshuffle.unknownSpark=try to try this one");
        assertThat(StartupChecks.leftToSpark(version, "2.13.18", true)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOlderLineAndAnotherScalaKeepTheirOwnShuffleInAnyCase(boolean tries) {
        assertThat(StartupChecks.leftToSpark("3.4.4", "2.13.8", tries).orElseThrow())
                .contains("use Spark 3.5 or newer")
                .doesNotContain("\n", "unknownSpark");
        assertThat(StartupChecks.leftToSpark("3.5.9", "2.12.18", tries).orElseThrow())
                .contains("with Scala 2.12.18", "use a Spark for Scala 2.13")
                .doesNotContain("\n", "unknownSpark");
    }

    @Test
    void onSpark35AJarThatOnlyTheDriverFindsIsRefused() {
        assertThat(outOfReach("3.5.9", "spark://10.0.0.1:7077", "").orElseThrow())
                .contains("3.5.9", "spark.executor.extraClassPath", "boltshuffle-spark_2.13-0.1.0.jar")
                .doesNotContain("\n");
    }

    @Test
    void onSpark35AClassPathForExecutorsIsTrusted() {
        assertThat(outOfReach("3.5.9", "spark://10.0.0.1:7077", "/opt/plugin/*"))
                .isEmpty();
    }

    @Test
    void inOneProcessAndOnSpark4JarsAreEnough() {
        assertThat(outOfReach("3.5.9", "local[2]", "")).isEmpty();
        assertThat(outOfReach("4.0.4", "spark://10.0.0.1:7077", "")).isEmpty();
    }

    @Test
    void aJarThatIsInstalledWithSparkIsNotOutOfReach() {
        assertThat(StartupChecks.jarOutOfReach("3.5.9", "yarn", JAR, "file:/home/me/job.jar", ""))
                .isEmpty();
    }

    private static Optional<String> outOfReach(String version, String master, String executorClassPath) {
        return StartupChecks.jarOutOfReach(
                version,
                master,
                JAR,
                "file:/home/me/job.jar,file:/opt/boltshuffle-spark_2.13-0.1.0.jar",
                executorClassPath);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "com.example.Plugin"})
    void blocksInMemoryWithoutThePluginAreRemarkedOn(String plugins) {
        assertThat(StartupChecks.blocksWithoutPlugin(true, PLUGIN, plugins).orElseThrow())
                .contains("spark.boltshuffle.blocks=all has no effect", "io.boltshuffle.spark.BoltShufflePlugin")
                .doesNotContain("\n");
    }

    @Test
    void blocksInMemoryNeedNoRemarkWhereAllIsSetOrNothingIs() {
        String plugins = "com.example.Plugin, io.boltshuffle.spark.BoltShufflePlugin";

        assertThat(StartupChecks.blocksWithoutPlugin(true, PLUGIN, plugins)).isEmpty();
        assertThat(StartupChecks.blocksWithoutPlugin(false, PLUGIN, "")).isEmpty();
    }
}
