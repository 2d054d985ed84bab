/** What the plugin adds to the start of an application that shuffles nothing. */
@NullMarked
package io.boltshuffle.proof.bench.start;

import org.jspecify.annotations.NullMarked;
