/**
 * A network between the hosts of a benchmark that is as slow, next to their cores, as that of a desk: each host in a
 * network namespace of its own, joined to a switch whose ports are held to a rate, and virtual cables that are held to
 * theirs.
 *
 * <p><b>Must not</b> leave a namespace or a process behind, nor touch an interface of the machine: all that is made is
 * in namespaces whose names begin with {@code bolt-} and the number of the process that made them.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench.network;

import org.jspecify.annotations.NullMarked;
