/**
 * Tests of links. Classes named {@code Sim...} are a fabric in virtual time: both ends of a cable, their memory,
 * control threads and channel in one thread, with faults by seed.
 */
@NullMarked
package io.boltshuffle.rdma.link.move;

import org.jspecify.annotations.NullMarked;
