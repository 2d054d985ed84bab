/**
 * The steps of a fetch as they happen, in executors and agents, for people who ask where its time goes.
 *
 * <p><b>Must not</b> cost anything while nothing is traced, name another package, or be needed by what it observes.
 *
 * <p><b>Threads:</b> any.
 */
@NullMarked
package io.boltshuffle.trace;

import org.jspecify.annotations.NullMarked;
