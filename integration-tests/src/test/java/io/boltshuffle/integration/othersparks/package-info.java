/**
 * The plugin on Sparks that this build does not compile against: what its classes name of them, what its reflection
 * finds there, and jobs on them.
 */
@NullMarked
package io.boltshuffle.integration.othersparks;

import org.jspecify.annotations.NullMarked;
