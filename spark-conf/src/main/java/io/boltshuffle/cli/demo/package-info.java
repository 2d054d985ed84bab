/**
 * {@code bolt demo} runs jobs on the same input, with and without the plugin, checks their outputs, and shows their
 * figures side by side.
 *
 * <p><b>Must not</b> take a figure from anywhere but Spark's metrics system and its listeners, or show a figure it does
 * not have.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.cli.demo;

import org.jspecify.annotations.NullMarked;
