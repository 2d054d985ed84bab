package io.boltshuffle.integration;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.storage.BlockManagerId;
import scala.jdk.javaapi.CollectionConverters;

/** Where the map outputs of the running application are, as its driver knows. */
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
}
