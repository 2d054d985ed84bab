/**
 * The verbs of {@code bolt} that measure the product or prove that it is right. They are in a checkout only, never in
 * the archive that users unpack.
 *
 * <p><b>Must not</b> be named by the product: {@code bolt} finds them as a service.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof;

import org.jspecify.annotations.NullMarked;
