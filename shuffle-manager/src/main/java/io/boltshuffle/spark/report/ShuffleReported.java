package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * A report in the event log. Spark writes it as JSON under the name of this class and reads it back by that name, so
 * neither the name nor the components may change unless the old form can still be read.
 *
 * @param timeMillis when the driver received it, by the driver's clock
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ShuffleReported(long timeMillis, ExecutorReport report) implements SparkListenerEvent {}
