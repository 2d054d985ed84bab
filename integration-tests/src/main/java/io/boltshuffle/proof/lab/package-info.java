/**
 * The lab: a virtual machine whose stock Linux kernel has a verbs stack that nobody here wrote, and the tests of this
 * checkout that run in it.
 *
 * <p><b>Must not</b> know how the machine is made: that is {@code integration-tests/lab/lab}.
 *
 * <p><b>Threads:</b> the caller's.
 */
@NullMarked
package io.boltshuffle.proof.lab;

import org.jspecify.annotations.NullMarked;
