package io.boltshuffle.cli.cluster;

import java.util.List;
import java.util.Map;

/**
 * A Spark program to run.
 *
 * @param name for logs and progress; unique in a run
 * @param settings beyond those every job gets
 */
public record JobSpec(String name, String mainClass, List<String> arguments, Map<String, String> settings) {

    /**
     * Returns one of the programs in {@code io.boltshuffle.examples}. It is named by text, because this process cannot
     * load Spark's classes.
     */
    public static JobSpec example(String name, String program, List<String> arguments, Map<String, String> settings) {
        return new JobSpec(name, "io.boltshuffle.examples." + program, arguments, settings);
    }
}
