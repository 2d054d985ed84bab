package io.boltshuffle.rdma.link.setup;

import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.MessageChecksums;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.link.move.LinkDownException;
import io.boltshuffle.rdma.memory.Lease;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Memory that calibration moves: the first half holds a pattern that the peer fetches, the second receives the peer's.
 *
 * <p>No two frames of the pattern are alike, so a lost frame cannot go unseen; what was received is marked before each
 * round, so that an old round's bytes cannot pass for a new one's.
 */
final class Scratch {

    private static final int MAX_HALF_BYTES = 16 << 20;

    private final RegisteredRange range;
    private final int halfBytes;

    /** @throws IllegalArgumentException if it has no room for two frames in each half */
    Scratch(RegisteredRange range) {
        // A half must not cross from one memory region into another; they are of one size.
        long half = Math.min(Math.min(range.bytes() / 2, MAX_HALF_BYTES), range.bytesToRegionEnd(0));
        this.range = range;
        this.halfBytes = (int) (half - half % (2 * Lease.FRAME_BYTES));
        if (halfBytes == 0) {
            throw new IllegalArgumentException("scratch memory of " + range.bytes() + " bytes is too small");
        }
    }

    /** A round moves this much; there are two at a time. */
    int roundBytes() {
        return halfBytes / 2;
    }

    RangePart pattern() {
        return new RangePart(range, 0, halfBytes);
    }

    /** Returns the place where round 0 or 1 lands. */
    RangePart landing(int round) {
        return new RangePart(range, halfBytes + (long) round * roundBytes(), roundBytes());
    }

    /** True if rounds can be cut into whole messages of this size. */
    boolean suits(int messageBytes) {
        return messageBytes <= roundBytes() && roundBytes() % messageBytes == 0;
    }

    /** Writes the pattern and computes its checksums for each message size. Takes a while: not on the poller. */
    List<int[]> fill(long seed, List<Integer> messageSizes) {
        ByteBuffer bytes = range.slice(0, halfBytes);
        SplittableRandom random = new SplittableRandom(seed);
        while (bytes.hasRemaining()) {
            bytes.putLong(random.nextLong());
        }
        List<int[]> checksums = new ArrayList<>();
        for (int messageBytes : messageSizes) {
            checksums.add(MessageChecksums.of(pattern(), messageBytes));
        }
        return checksums;
    }

    /** Spoils one word of each frame of a landing. */
    void mark(int round) {
        RangePart landing = landing(round);
        ByteBuffer bytes = range.slice(landing.offset(), (int) landing.bytes());
        for (int at = 0; at < bytes.limit(); at += Lease.FRAME_BYTES) {
            bytes.putLong(at, ~bytes.getLong(at));
        }
    }

    /** Finds what the peer offered for a message size. */
    Offer offerOf(List<Offer> offers, int messageBytes) throws LinkDownException {
        for (Offer offer : offers) {
            if (offer.messageBytes() == messageBytes && offer.bytes() >= 2L * roundBytes()) {
                return offer;
            }
        }
        throw new LinkDownException(
                Reason.PEER_INCOMPATIBLE, "the peer offers no pattern in messages of " + messageBytes + " bytes");
    }
}
