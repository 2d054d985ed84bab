/**
 * Counters of an executor's fetches and map outputs, by transport, by stage and by reason, shown as Spark metrics.
 *
 * <p><b>Must not</b> fetch or write anything.
 *
 * <p><b>Threads:</b> safe from any.
 */
@NullMarked
package io.boltshuffle.spark.meter;

import org.jspecify.annotations.NullMarked;
