/**
 * Declares every option of the product once: key, type, default, limits, documentation, and the release that introduced
 * it. A test generates {@code docs/configuration.md} from it.
 *
 * <p><b>Must not</b> name a Spark class, or act on an option.
 *
 * <p><b>Threads:</b> immutable values only.
 */
@NullMarked
package io.boltshuffle.conf;

import org.jspecify.annotations.NullMarked;
