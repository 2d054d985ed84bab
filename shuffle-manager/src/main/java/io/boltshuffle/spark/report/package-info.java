/**
 * Reports of executors to the driver about their shuffles, as values with a JSON form, which travels to the driver
 * plugin and into the event log.
 *
 * <p><b>Must not</b> know what counts, which it sees as a {@link io.boltshuffle.spark.report.TrafficMeter}, or how it
 * is shown.
 *
 * <p><b>Threads:</b> values; {@link io.boltshuffle.spark.report.AgentReader} blocks its caller.
 */
@NullMarked
package io.boltshuffle.spark.report;

import org.jspecify.annotations.NullMarked;
