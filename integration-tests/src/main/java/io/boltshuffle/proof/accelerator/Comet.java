package io.boltshuffle.proof.accelerator;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.runtime.SparkLine;
import io.boltshuffle.cli.runtime.SparkRuntimes;
import io.boltshuffle.cli.runtime.UserCache;
import java.nio.file.Path;
import java.util.Map;

/**
 * DataFusion Comet, which runs queries in native code and brings a shuffle manager of its own.
 *
 * @param jar with its native libraries for Linux
 */
public record Comet(Path jar) {
    public static final String TITLE = "Comet";
    public static final String SHUFFLE_MANAGER = "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager";

    /**
     * Returns the Comet for a line of Spark, and fetches it if necessary.
     *
     * @throws io.boltshuffle.cli.base.BoltException where it cannot be had
     */
    public static Comet of(SparkLine line, UserCache cache, Console console) {
        return new Comet(new SparkRuntimes(Map.of(), cache, console).findComet(line));
    }

    /**
     * Returns what its own guide asks for.
     *
     * @param memory of each executor, off the heap, besides the heap, such as {@code 1g}
     */
    public Map<String, String> settings(String memory) {
        return Map.of(
                "spark.plugins",
                "org.apache.spark.CometPlugin",
                "spark.shuffle.manager",
                SHUFFLE_MANAGER,
                "spark.driver.extraClassPath",
                jar.toString(),
                "spark.executor.extraClassPath",
                jar.toString(),
                "spark.memory.offHeap.enabled",
                "true",
                "spark.memory.offHeap.size",
                memory);
    }
}
