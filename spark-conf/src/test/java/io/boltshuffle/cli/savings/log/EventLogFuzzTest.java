package io.boltshuffle.cli.savings.log;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.savings.log.LogText.Rdd;
import io.boltshuffle.cli.savings.log.LogText.Stage;
import io.boltshuffle.cli.savings.log.LogText.Task;
import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Event logs, as {@code bolt savings} reads them. */
class EventLogFuzzTest extends FuzzContract {
    private final Path directory;

    EventLogFuzzTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Override
    protected int thinning() {
        return 20;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        String log = LogText.start("my job", Map.of("spark.shuffle.sort.bypassMergeThreshold", "7"))
                .query(3, "count at Job.java:9")
                .driverMetric(3, 10, 64)
                .job(
                        "3",
                        new Stage(0, "map", List.of(), List.of(new Rdd(1, "MapPartitionsRDD", "map", 8, List.of()))),
                        new Stage(
                                1,
                                "collect",
                                List.of(0),
                                List.of(new Rdd(2, "ShuffledRDD", "sortByKey", 8, List.of(1)))))
                .task(Task.map(0, 1_000, 10, 5_000_000))
                .completed(0, 11)
                .task(Task.reduce(1, 500, 1_500, 1_500))
                .end()
                .text();
        return Stream.of(FuzzTarget.ofText(
                "event-log",
                text -> new EventLogReader(
                                () -> {
                                    throw new IllegalStateException("no log is compressed");
                                },
                                Console.standardError())
                        .read(List.of(Files.writeString(directory.resolve("app-1"), text))),
                Set.of(BoltException.class),
                log));
    }
}
