package io.boltshuffle.cli.job;

import io.boltshuffle.examples.InTurn;
import java.util.ArrayList;
import java.util.HashMap;
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

    /** Returns one job that runs several examples in one JVM, one after the other, with the settings of all. */
    public static JobSpec inTurn(String name, List<JobSpec> jobs) {
        List<String> arguments = new ArrayList<>();
        Map<String, String> settings = new HashMap<>();
        for (JobSpec job : jobs) {
            if (!arguments.isEmpty()) {
                arguments.add(InTurn.NEXT);
            }
            arguments.add(job.mainClass());
            arguments.addAll(job.arguments());
            settings.putAll(job.settings());
        }
        return example(name, "InTurn", arguments, settings);
    }

    /**
     * Returns one job that runs several examples in one JVM, each with its own settings and when it is told to, for
     * {@link JobSeries}.
     */
    static JobSpec whenTold(String name, List<JobSpec> jobs) {
        Map<String, String> shared = new HashMap<>(jobs.get(0).settings());
        jobs.forEach(job -> shared.entrySet().retainAll(job.settings().entrySet()));
        List<String> arguments = new ArrayList<>(List.of(InTurn.WHEN_TOLD));
        for (JobSpec job : jobs) {
            if (arguments.size() > 1) {
                arguments.add(InTurn.NEXT);
            }
            arguments.add("spark.app.name=" + job.name());
            job.settings().entrySet().stream()
                    .filter(setting -> !shared.entrySet().contains(setting))
                    .forEach(setting -> arguments.add(setting.getKey() + "=" + setting.getValue()));
            arguments.add(job.mainClass());
            arguments.addAll(job.arguments());
        }
        return example(name, "InTurn", arguments, shared);
    }
}
