/**
 * Reads Spark's event logs, as any Spark since 3.5 writes them, into sums for each stage. Spark is not needed: the
 * events are lines of JSON, and only compressed logs need the codecs that a Spark brings.
 *
 * <p><b>Must not</b> keep events or tasks, whose number has no limit, nor judge what the sums mean.
 *
 * <p><b>Threads:</b> the caller's.
 */
@NullMarked
package io.boltshuffle.cli.savings.log;

import org.jspecify.annotations.NullMarked;
