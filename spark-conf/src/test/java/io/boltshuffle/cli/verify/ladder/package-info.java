/** Tests of the ladder, climbed by two hosts of a virtual Thunderbolt. */
@NullMarked
package io.boltshuffle.cli.verify.ladder;

import org.jspecify.annotations.NullMarked;
