package io.boltshuffle.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.storage.BlockManagerId;
import scala.jdk.javaapi.CollectionConverters;

/** Finds map outputs: as the driver of the running application knows, and as files. */
final class MapOutputs {

    private MapOutputs() {}

    /** Returns the executors that have some. */
    static Set<String> executors() {
        MapOutputTrackerMaster tracker = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
        return CollectionConverters.asJava(tracker.shuffleStatuses()).values().stream()
                .flatMap(shuffle -> Stream.of(shuffle.mapStatuses()))
                .map(MapStatus::location)
                .map(BlockManagerId::executorId)
                .collect(Collectors.toSet());
    }

    /** Returns the newest file of the last shuffle, of any map. */
    static Path newestFile(Path localDirectory) throws IOException {
        try (Stream<Path> files = Files.walk(localDirectory)) {
            return files.filter(file -> file.getFileName().toString().matches("shuffle_.*\\.data"))
                    .max(Comparator.comparing(file -> file.toFile().lastModified()))
                    .orElseThrow();
        }
    }
}
