/**
 * Findings say what was seen, what it means, and what to do. There is one class for each question;
 * {@link io.boltshuffle.cli.doctor.check.Cause} ranks root causes, so that the user should act on the first finding
 * first.
 *
 * <p><b>Must not</b> run or read anything: a check sees facts and cables only, and unknown facts make no failure.
 *
 * <p><b>Threads:</b> none; pure functions.
 */
@NullMarked
package io.boltshuffle.cli.doctor.check;

import org.jspecify.annotations.NullMarked;
