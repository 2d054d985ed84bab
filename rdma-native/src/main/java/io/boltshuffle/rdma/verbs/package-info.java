/**
 * The JNA binding of {@code librdma.dylib} (macOS 26.2+) and {@code libibverbs.so.1} (Linux): the only place with
 * native signatures, structure offsets and errno rules.
 *
 * <p><b>Must not</b> decide anything: no retry, no pooling, no protocol. It says what the library said.
 *
 * <p><b>Threads:</b> none of its own, except the control thread that keeps calls which may hang away from callers.
 */
@NullMarked
package io.boltshuffle.rdma.verbs;

import org.jspecify.annotations.NullMarked;
