package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.Map;

/**
 * The map outputs that one executor wrote for a stage so far.
 *
 * @param tasks whose output the plugin's writer committed
 * @param bytes of those outputs
 * @param spills how often the plugin's writer went to disk because memory was short
 * @param sparkTasks that wrote by one of Spark's writers, by the reason why they did
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record StageWrites(long tasks, long bytes, long spills, Map<String, Long> sparkTasks) {

    public static final StageWrites NONE = new StageWrites(0, 0, 0, Map.of());

    public StageWrites {
        sparkTasks = Map.copyOf(sparkTasks);
    }
}
