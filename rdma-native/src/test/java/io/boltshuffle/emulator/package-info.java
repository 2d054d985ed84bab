/** Tests of the virtual Thunderbolt itself, apart from the Java code that uses it. */
@NullMarked
package io.boltshuffle.emulator;

import org.jspecify.annotations.NullMarked;
