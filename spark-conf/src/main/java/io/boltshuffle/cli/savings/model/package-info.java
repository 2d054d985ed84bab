/**
 * Estimates what the plugin would save of what stock Spark's tasks waited and wrote, as a range, from assumptions that
 * it names.
 *
 * <p><b>Must not</b> read anything or print anything: sums go in, estimates come out. An estimate is never above what
 * was measured.
 *
 * <p><b>Threads:</b> any; all are values.
 */
@NullMarked
package io.boltshuffle.cli.savings.model;

import org.jspecify.annotations.NullMarked;
