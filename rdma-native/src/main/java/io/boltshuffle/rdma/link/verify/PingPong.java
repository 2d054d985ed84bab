package io.boltshuffle.rdma.link.verify;

import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.LeasedRange;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Sends one frame back and forth and times it.
 *
 * <p>Half of the receives a queue pair allows are posted before the first send, and each is posted again when its message
 * has been looked at, so a sender never waits for one. Each message carries its number, which the other side checks.
 */
final class PingPong {

    static final int MESSAGE_BYTES = 4096;
    static final int RECEIVES = ProbeQueuePair.DEPTH / 2;
    static final int MEMORY_BYTES = (RECEIVES + 1) * MESSAGE_BYTES;

    private static final int SEND_OFFSET = RECEIVES * MESSAGE_BYTES;
    private static final int WARM_UP = 1000;
    private static final int POLLS_PER_CLOCK = 1024;

    private final ProbeQueuePair queuePair;
    private final LeasedRange range;
    private final ByteBuffer bytes;
    private final long patienceNanos;
    private long received;
    private long sent;

    PingPong(ProbeQueuePair queuePair, LeasedRange range, Duration patience) {
        this.queuePair = queuePair;
        this.range = range;
        this.bytes = range.slice(0, MEMORY_BYTES);
        this.patienceNanos = patience.toNanos();
    }

    /** Before the peer may send. */
    void prepare() throws VerbsException {
        for (int i = 0; i < RECEIVES; i++) {
            queuePair.postReceive(range, i * MESSAGE_BYTES, MESSAGE_BYTES);
        }
    }

    Latency lead(int rounds) throws VerbsException, FallException {
        long[] nanos = new long[rounds];
        for (int i = -WARM_UP; i < rounds; i++) {
            long start = System.nanoTime();
            send();
            awaitMessage();
            if (i >= 0) {
                nanos[i] = System.nanoTime() - start;
            }
        }
        return Latency.of(MESSAGE_BYTES, nanos);
    }

    void follow(int rounds) throws VerbsException, FallException {
        for (int i = -WARM_UP; i < rounds; i++) {
            awaitMessage();
            send();
        }
    }

    private void send() throws VerbsException {
        bytes.putLong(SEND_OFFSET, sent++);
        queuePair.postSend(range, SEND_OFFSET, MESSAGE_BYTES);
    }

    private void awaitMessage() throws VerbsException, FallException {
        long before = received;
        long deadline = 0;
        for (int polls = 1; received == before; polls++) {
            queuePair.poll(MESSAGE_BYTES, this::arrived);
            if (polls % POLLS_PER_CLOCK == 0) {
                long now = System.nanoTime();
                deadline = deadline == 0 ? now + patienceNanos : deadline;
                if (now - deadline > 0) {
                    throw new FallException(
                            "message " + received + " did not come back: the peer is silent",
                            "check that the cable joins these two ports, and look at the other host");
                }
                // One core for two busy pollers and the fabric would stand still otherwise.
                Thread.onSpinWait();
            }
        }
    }

    private void arrived(int offset) throws FallException, VerbsException {
        long number = bytes.getLong(offset);
        if (number != received) {
            throw new FallException(
                    "message " + number + " arrived in place of message " + received,
                    "check the cable: frames are being lost or damaged");
        }
        received++;
        queuePair.postReceive(range, offset, MESSAGE_BYTES);
    }
}
