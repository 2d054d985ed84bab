/**
 * The JNA binding of {@code librdma.dylib} (macOS 26.2+) and {@code libibverbs.so.1} (Linux). No other package has
 * native signatures of verbs, structure offsets or errno rules.
 *
 * <p><b>Must not</b> decide anything: no retry, no pooling, no protocol. It reports what the library returned.
 *
 * <p><b>Threads:</b> none of its own, except the control thread, which keeps callers away from calls that may hang.
 */
@NullMarked
package io.boltshuffle.rdma.verbs;

import org.jspecify.annotations.NullMarked;
