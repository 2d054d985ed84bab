/**
 * The lab: a virtual machine whose stock Linux kernel has a verbs stack that does not come from this project, and the
 * tests of this checkout that run in it.
 *
 * <p><b>Must not</b> know how the machine is made: {@code integration-tests/lab/lab} does that.
 *
 * <p><b>Threads:</b> the caller's.
 */
@NullMarked
package io.boltshuffle.proof.lab;

import org.jspecify.annotations.NullMarked;
