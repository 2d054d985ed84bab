/**
 * Every option of the product, once: key, type, default, limits, documentation, since. {@code docs/configuration.md} is
 * generated from here.
 *
 * <p><b>Must not</b> name a Spark class, or act on an option.
 *
 * <p><b>Threads:</b> immutable values only.
 */
@NullMarked
package io.boltshuffle.conf;

import org.jspecify.annotations.NullMarked;
