/**
 * Accelerators of Spark that run beside the plugin: where their jars come from, and what they are set to.
 *
 * <p><b>Must not</b> set anything of the plugin's, or of Spark besides what the accelerator asks for.
 *
 * <p><b>Threads:</b> the caller's.
 */
@NullMarked
package io.boltshuffle.proof.accelerator;

import org.jspecify.annotations.NullMarked;
