/**
 * A shuffle manager such as accelerators bring: it extends nothing of Spark's own, carries columnar batches, and reads
 * with Spark's iterator and client. Executors load it, so its classes are public where Spark looks for them.
 */
@NullMarked
package io.boltshuffle.integration.othermanager;

import org.jspecify.annotations.NullMarked;
