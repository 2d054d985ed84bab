package io.boltshuffle.cli.verify.ladder;

import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.LeasedRange;
import io.boltshuffle.rdma.memory.Lease;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;

/**
 * Sends one frame back and forth and times it.
 *
 * <p>Half of the receives a queue pair allows are posted before the first send, and each is posted again when its
 * message has been looked at, so a sender never waits for one. Each message carries its number, which the other side
 * checks, and whether it is the last.
 */
final class PingPong {

    static final int MESSAGE_BYTES = Lease.FRAME_BYTES;
    static final int RECEIVES = ProbeQueuePair.DEPTH / 2;
    static final int MEMORY_BYTES = (RECEIVES + 1) * MESSAGE_BYTES;

    private static final int SEND_OFFSET = RECEIVES * MESSAGE_BYTES;
    private static final int LAST_MARK = Long.BYTES;
    private static final int WARM_UP = 1000;
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final int POLLS_PER_CLOCK = 1024;

    private final ProbeQueuePair queuePair;
    private final LeasedRange range;
    private final ByteBuffer bytes;
    private final long patienceNanos;
    private long received;
    private long sent;
    private boolean lastSeen;

    PingPong(ProbeQueuePair queuePair, LeasedRange range, Duration patience) {
        this.queuePair = queuePair;
        this.range = range;
        this.bytes = range.slice(0, MEMORY_BYTES);
        this.patienceNanos = patience.toNanos();
    }

    /** Prepares this side. Called before the peer may send. */
    void prepare() throws VerbsException {
        for (int i = 0; i < RECEIVES; i++) {
            queuePair.postReceive(range, i * MESSAGE_BYTES, MESSAGE_BYTES);
        }
    }

    /**
     * Ends early, with fewer rounds, when they take too long: on a machine whose cores are all busy one may take
     * milliseconds.
     */
    RoundTrips lead(int rounds) throws VerbsException, FallException {
        long[] nanos = new long[rounds];
        int measured = 0;
        long end = System.nanoTime() + LONGEST.toNanos();
        boolean last = false;
        for (int i = -WARM_UP; !last; i++) {
            long start = System.nanoTime();
            last = i >= 0 && (i == rounds - 1 || start - end > 0);
            send(last);
            awaitMessage();
            if (i >= 0) {
                nanos[measured++] = System.nanoTime() - start;
            }
        }
        return RoundTrips.of(MESSAGE_BYTES, Arrays.copyOf(nanos, measured));
    }

    /** Answers until the leader marks a message as the last. */
    void follow() throws VerbsException, FallException {
        while (!lastSeen) {
            awaitMessage();
            send(false);
        }
    }

    private void send(boolean last) throws VerbsException {
        bytes.putLong(SEND_OFFSET, sent++);
        bytes.put(SEND_OFFSET + LAST_MARK, (byte) (last ? 1 : 0));
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
        lastSeen = bytes.get(offset + LAST_MARK) != 0;
        received++;
        queuePair.postReceive(range, offset, MESSAGE_BYTES);
    }
}
