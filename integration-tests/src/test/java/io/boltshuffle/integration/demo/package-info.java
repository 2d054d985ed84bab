/**
 * The {@code bolt} command as a user runs it: unpacked in a path with spaces, in processes of its own, judged by its
 * exit code, its output and what it leaves behind.
 *
 * <p><b>Threads:</b> the test's.
 */
@NullMarked
package io.boltshuffle.integration.demo;

import org.jspecify.annotations.NullMarked;
