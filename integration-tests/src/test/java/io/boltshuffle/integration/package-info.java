/**
 * Tests that cross modules: the arrows between packages, and real Spark jobs on two hosts of this machine.
 *
 * <p><b>Must not</b> repeat what a module's own tests show.
 */
@NullMarked
package io.boltshuffle.integration;

import org.jspecify.annotations.NullMarked;
