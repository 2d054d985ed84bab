/**
 * What an executor counts of its fetches and map outputs, by transport, by stage and by reason, and shows as Spark
 * metrics.
 *
 * <p><b>Must not</b> fetch or write anything.
 *
 * <p><b>Threads:</b> safe from any.
 */
@NullMarked
package io.boltshuffle.spark.meter;

import org.jspecify.annotations.NullMarked;
