package io.boltshuffle.proof.soak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A watched process of the cluster, as its command line describes it.
 *
 * @param host empty for the driver
 */
record ClusterProcess(Kind kind, String host, long pid) {
    /** The watched kinds. Spark's master and workers are not part of this project. */
    enum Kind {
        AGENT("io.boltshuffle.agent.AgentMain", "--host"),
        EXECUTOR("org.apache.spark.executor.CoarseGrainedExecutorBackend", "--hostname"),
        DRIVER("org.apache.spark.deploy.SparkSubmit", "");

        private final String mainClass;
        private final String hostOption;

        Kind(String mainClass, String hostOption) {
            this.mainClass = mainClass;
            this.hostOption = hostOption;
        }
    }

    /** Returns those that this process, or one that it started, has started. */
    static List<ClusterProcess> running() {
        return ProcessHandle.current()
                .descendants()
                .flatMap(process -> of(process.pid()).stream())
                .toList();
    }

    private static Optional<ClusterProcess> of(long pid) {
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.UTF_8);
            return of(pid, Arrays.asList(line.split("\0", -1)));
        } catch (IOException e) {
            return Optional.empty(); // it has ended meanwhile
        }
    }

    static Optional<ClusterProcess> of(long pid, List<String> words) {
        return Arrays.stream(Kind.values())
                .filter(kind -> words.contains(kind.mainClass))
                .findFirst()
                .map(kind -> new ClusterProcess(kind, after(kind.hostOption, words), pid));
    }

    private static String after(String option, List<String> words) {
        int at = words.indexOf(option);
        return at < 0 || at + 1 == words.size() ? "" : words.get(at + 1);
    }

    /** Returns the name in the report. A process that replaces this one has the same name. */
    String name() {
        return (kind.name().toLowerCase(Locale.ROOT) + " " + host).strip();
    }
}
