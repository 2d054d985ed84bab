/** Tests of the slab and its leases: tables, a seeded model, races, and a second process. */
@NullMarked
package io.boltshuffle.rdma.memory;

import org.jspecify.annotations.NullMarked;
