package io.boltshuffle.cli.savings.log;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * One application, as its log tells.
 *
 * @param log the name of the file or directory
 * @param millis from its start to its end, or to the last event if the log ends earlier
 * @param cores that its executors had at most at one time; empty if the log names no executor
 * @param hosts that they were on, all of them
 * @param settings of Spark, as the user set them
 * @param stages those of which a task ended, in the order of their numbers
 * @param gaps what is missing in the log, one sentence each; empty for a whole one
 */
public record ApplicationSums(
        String log,
        String id,
        String name,
        String sparkVersion,
        long millis,
        OptionalInt cores,
        int hosts,
        Map<String, String> settings,
        List<StageSums> stages,
        List<String> gaps) {

    /** Returns how many tasks ran at once at most, or empty as for the cores. */
    public OptionalInt slots() {
        if (cores.isEmpty()) {
            return cores;
        }
        int each = Math.max(1, number("spark.task.cpus", 1));
        return OptionalInt.of(Math.max(1, cores.getAsInt() / each));
    }

    public String setting(String key, String otherwise) {
        return settings.getOrDefault(key, otherwise);
    }

    private int number(String key, int otherwise) {
        return LoggedSettings.number(settings, key, otherwise);
    }
}
