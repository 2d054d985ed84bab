/**
 * {@code bolt doctor}, {@code bolt topology}, {@code bolt init}: from cables to a faster job, in plain words.
 *
 * <p>The way of a fact: {@code probe} runs an outside command under a deadline and keeps its text; {@code facts} parses
 * text into values; {@code fabric} joins the hosts' values into cables; {@code check} turns them into findings. Only
 * {@code probe} touches the machine, so everything else is tested on saved text ({@code --save}, {@code --from}).
 *
 * <p><b>Must not</b> change anything, except by {@code doctor --fix} after a yes for each change. Opens no device:
 * probing verbs from here would spend the very budget it asks about.
 *
 * <p><b>Threads:</b> the main thread; {@code probe} uses one thread for each host while it collects.
 */
@NullMarked
package io.boltshuffle.cli.doctor;

import org.jspecify.annotations.NullMarked;
