/** Parts that tests of several packages share. */
@NullMarked
package io.boltshuffle.testing;

import org.jspecify.annotations.NullMarked;
