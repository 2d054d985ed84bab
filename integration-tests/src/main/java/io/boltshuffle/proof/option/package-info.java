/** Options that several of the proving verbs have. */
@NullMarked
package io.boltshuffle.proof.option;

import org.jspecify.annotations.NullMarked;
