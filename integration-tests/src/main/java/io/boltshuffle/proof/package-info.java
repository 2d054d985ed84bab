/**
 * The verbs of {@code bolt} that measure the product or prove that it is right. They are in a checkout only, never in
 * the archive that users unpack.
 *
 * <p>What runs inside Spark is in rooms called {@code inspark}, below the verb that starts it. Only these name Spark's
 * classes, and of this tree they name only each other.
 *
 * <p><b>Must not</b> be named by the product: {@code bolt} finds them as a service.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof;

import org.jspecify.annotations.NullMarked;
