/**
 * Describes which host is cabled to which, as pure values: hosts, ports and cables. Reads and writes the two file
 * formats that users of MLX already have.
 *
 * <p><b>Must not</b> open a socket, run a command, touch a device or name a Spark class. A file's text comes in, a
 * value goes out; the only failure is {@link io.boltshuffle.topology.InvalidTopologyException}.
 *
 * <p><b>Threads:</b> none; everything is immutable. Formats: {@code docs/operations.md#topology-files}.
 */
@NullMarked
package io.boltshuffle.topology;

import org.jspecify.annotations.NullMarked;
