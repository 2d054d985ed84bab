/**
 * {@code bolt bench scale}: what node agents hold as hosts, cables and blocks become more, and what they cost at rest.
 *
 * <p><b>Must not</b> name a Spark class: what loads the agents runs in Spark's processes and hands over records.
 *
 * <p><b>Threads:</b> the main thread; one looks at the agents while it waits for an application.
 */
@NullMarked
package io.boltshuffle.proof.bench.scale;

import org.jspecify.annotations.NullMarked;
