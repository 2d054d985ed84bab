/**
 * {@code bolt bench scale} measures what node agents hold as the numbers of hosts, cables and blocks grow, and what
 * they cost at rest.
 *
 * <p><b>Must not</b> name a Spark class: the program that loads the agents runs in Spark's processes and returns
 * records.
 *
 * <p><b>Threads:</b> the main thread; one looks at the agents while it waits for an application.
 */
@NullMarked
package io.boltshuffle.proof.bench.scale;

import org.jspecify.annotations.NullMarked;
