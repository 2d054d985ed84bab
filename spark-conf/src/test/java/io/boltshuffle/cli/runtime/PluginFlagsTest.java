package io.boltshuffle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class PluginFlagsTest {
    private static final String MANAGER = "spark.shuffle.manager=io.boltshuffle.spark.BoltShuffleManager";
    private static final String TAB = "spark.plugins=io.boltshuffle.spark.BoltShufflePlugin";
    private static final Path PLUGIN = Path.of("/opt/bolt shuffle/plugin.jar");

    private final Properties defaults = new Properties();
    private final PluginFlags spark4 = new PluginFlags(SparkLine.V4_0, PLUGIN);
    private final PluginFlags spark35 = new PluginFlags(SparkLine.V3_5, PLUGIN);

    @Test
    void onSpark4ThePluginGoesWithTheUserJars() {
        assertThat(spark4.addTo(List.of("--class", "Main", "app.jar", "--jars", "mine"), defaults))
                .containsExactly(
                        "--conf",
                        MANAGER,
                        "--conf",
                        TAB,
                        "--conf",
                        "spark.jars=" + PLUGIN,
                        "--class",
                        "Main",
                        "app.jar",
                        "--jars",
                        "mine");
    }

    @Test
    void onSpark35ThePluginGoesOnBothClassPaths() {
        assertThat(spark35.addTo(List.of("--driver-class-path", "a.jar", "app.jar"), defaults))
                .containsExactly(
                        "--conf",
                        MANAGER,
                        "--conf",
                        TAB,
                        "--conf",
                        "spark.driver.extraClassPath=a.jar:" + PLUGIN,
                        "--conf",
                        "spark.executor.extraClassPath=" + PLUGIN,
                        "app.jar");
    }

    @Test
    void jarsOfTheUserAreKept() {
        assertThat(spark4.addTo(List.of("--jars", "a.jar,b.jar", "app.jar"), defaults))
                .contains("spark.jars=a.jar,b.jar," + PLUGIN)
                .doesNotContain("--jars");
        assertThat(spark4.addTo(List.of("--jars=a.jar", "app.jar"), defaults)).contains("spark.jars=a.jar," + PLUGIN);
        assertThat(spark4.addTo(List.of("--conf", "spark.jars=a.jar", "app.jar"), defaults))
                .contains("spark.jars=a.jar," + PLUGIN);
    }

    @Test
    void pluginsOfTheUserAreKept() {
        defaults.setProperty("spark.plugins", "my.Plugin");

        assertThat(spark4.addTo(List.of("app.jar"), defaults))
                .contains("spark.plugins=my.Plugin,io.boltshuffle.spark.BoltShufflePlugin");
    }

    @Test
    void whatTheDefaultsFileSaysIsMergedUnlessTheCommandLineSaysOtherwise() {
        defaults.setProperty("spark.jars", "default.jar");

        assertThat(spark4.addTo(List.of("app.jar"), defaults)).contains("spark.jars=default.jar," + PLUGIN);
        assertThat(spark4.addTo(List.of("--jars", "a.jar", "app.jar"), defaults))
                .contains("spark.jars=a.jar," + PLUGIN);
    }

    @Test
    void aShuffleManagerOfTheUserStaysAndThePluginCarriesItsShuffles() {
        List<String> arguments = List.of("-c", "spark.shuffle.manager=sort", "app.jar");

        assertThat(spark4.addTo(arguments, defaults))
                .contains("spark.shuffle.manager=sort", TAB)
                .doesNotContain(MANAGER);
        assertThat(PluginFlags.foreignManager(arguments, defaults)).contains("sort");
    }

    @Test
    void aShuffleManagerInTheDefaultsFileStaysToo() {
        defaults.setProperty("spark.shuffle.manager", "sort");

        assertThat(spark4.addTo(List.of("app.jar"), defaults)).doesNotContain(MANAGER);
    }

    @Test
    void nothingBehindTheApplicationIsTouched() {
        List<String> after = List.of("app.jar", "--conf", "spark.shuffle.manager=sort", "--jars=x");

        assertThat(spark4.addTo(after, defaults)).contains(MANAGER).containsSubsequence(after);
    }

    @Test
    void switchesTakeNoValue() {
        assertThat(spark4.addTo(List.of("--verbose", "app.jar", "argument"), defaults))
                .containsSubsequence("--verbose", "app.jar", "argument");
    }

    /** The configuration directory that a local cluster writes is like this one. */
    @Test
    void aPluginThatTheDefaultsFileHasAlreadyIsNotAddedTwice() {
        spark4.settings().forEach(defaults::setProperty);

        assertThat(spark4.addTo(List.of("app.jar"), defaults))
                .contains(TAB, "spark.jars=" + PLUGIN)
                .filteredOn(word -> !word.equals("--conf"))
                .doesNotHaveDuplicates();
    }

    @Test
    void whatAClusterAddsReplacesNothingThatTheUserSaid() {
        defaults.setProperty("spark.driver.host", "there");

        assertThat(PluginFlags.addMissing(
                        List.of("--conf", "spark.cores.max=1", "app.jar"),
                        defaults,
                        Map.of("spark.driver.host", "here", "spark.cores.max", "2", "spark.executor.memory", "1g")))
                .containsExactly("--conf", "spark.cores.max=1", "--conf", "spark.executor.memory=1g", "app.jar");
    }

    @Test
    void theMasterIsFoundWhereverItIsNamed() {
        assertThat(PluginFlags.master(List.of("app.jar"), defaults)).isEmpty();
        defaults.setProperty("spark.master", "c");
        assertThat(PluginFlags.master(List.of("app.jar"), defaults)).hasValue("c");
        assertThat(PluginFlags.master(List.of("--conf", "spark.master=b", "app.jar"), defaults))
                .hasValue("b");
        assertThat(PluginFlags.master(List.of("--master", "a", "--conf", "spark.master=b", "app.jar"), defaults))
                .hasValue("a");
    }
}
