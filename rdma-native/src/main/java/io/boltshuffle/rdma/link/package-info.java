/**
 * One cable to one peer: set-up over a channel that the caller gives, frame budget, message-size calibration, send mode
 * (UC), read mode (RC), the poller, and teardown in the right order.
 *
 * <p><b>Must not</b> open sockets, choose peers or name Spark.
 *
 * <p><b>Threads:</b> one poller thread per link owns its queue pair and all state; everything else posts to it.
 */
@NullMarked
package io.boltshuffle.rdma.link;

import org.jspecify.annotations.NullMarked;
