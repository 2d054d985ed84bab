/**
 * {@code bolt doctor}, {@code bolt topology} and {@code bolt init} lead from cables to a faster job, in plain words.
 *
 * <p>A fact takes this way: {@code probe} runs an outside command under a deadline and keeps its text; {@code facts}
 * parses text into values; {@code fabric} joins the hosts' values into cables; {@code check} turns them into findings.
 * Only {@code probe} touches the machine, so everything else is tested on saved text ({@code --save}, {@code --from}).
 *
 * <p><b>Must not</b> change anything, except by {@code doctor --fix} after a yes for each change. <b>Must not</b> open
 * a device: that would spend the very budget that the doctor checks.
 *
 * <p><b>Threads:</b> the main thread; {@code probe} uses one thread for each host while it collects.
 */
@NullMarked
package io.boltshuffle.cli.doctor;

import org.jspecify.annotations.NullMarked;
