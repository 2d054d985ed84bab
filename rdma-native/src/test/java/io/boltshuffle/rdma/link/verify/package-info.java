/** Tests of the ladder, climbed by two hosts of a virtual Thunderbolt. */
@NullMarked
package io.boltshuffle.rdma.link.verify;

import org.jspecify.annotations.NullMarked;
