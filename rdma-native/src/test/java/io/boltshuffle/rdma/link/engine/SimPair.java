package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.Candidate;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.MessageChecksums;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.Transfer;
import io.boltshuffle.rdma.link.engine.SimFaults.Kind;
import io.boltshuffle.rdma.link.move.Deadlines;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two simulated hosts and their cable. {@link #settle} lets virtual time pass and holds the invariants in every step:
 * each wait has a deadline, and no step does endless work.
 */
final class SimPair {

    static final int MEMORY_BYTES = 2 << 20;

    private static final long LIMIT_NANOS = Duration.ofMinutes(5).toNanos();
    private static final int MAX_ROUNDS = 100_000;
    private static final int NEITHER = -1;

    private final SimWorld world;
    private final SimFaults faults;
    private final SimCable cable;
    private final SimEnd[] ends = new SimEnd[2];
    private final List<SimTransfer> transfers = new ArrayList<>();
    private final List<SimMemory.SimRange> sources = new ArrayList<>();
    private final List<ByteBuffer> held = new ArrayList<>();
    private int heldFrom = NEITHER;
    private boolean channelLost;

    SimPair(SimWorld world, SimFaults faults, LinkOptions options) {
        this(world, faults, options, MEMORY_BYTES);
    }

    SimPair(SimWorld world, SimFaults faults, LinkOptions options, int memoryBytes) {
        this(world, faults, List.of(options, options), memoryBytes);
    }

    /** @param options of each side */
    SimPair(SimWorld world, SimFaults faults, List<LinkOptions> options, int memoryBytes) {
        this.world = world;
        this.faults = faults;
        SimMemory[] memories = {new SimMemory(0, memoryBytes), new SimMemory(1, memoryBytes)};
        this.cable = new SimCable(world, faults, memories, 0.5);
        for (int side = 0; side < 2; side++) {
            int other = 1 - side;
            SimChannel channel = new SimChannel(world, faults, cable, side, message -> carry(other, message));
            SimDevice device = new SimDevice(side, world, cable, faults);
            ends[side] = new SimEnd(side, world, memories[side], device, channel, faults, options.get(side));
        }
    }

    /** The defaults, but for a queue so short that it is full often. */
    static LinkOptions shallow(LinkMode mode) {
        LinkOptions defaults = LinkOptions.defaults(mode);
        return new LinkOptions(
                mode,
                16,
                defaults.candidates(),
                defaults.calibration(),
                defaults.setup(),
                defaults.stall(),
                defaults.control(),
                defaults.maxTransfers(),
                defaults.summed(),
                defaults.interfaceAddresses());
    }

    /** Small windows and sizes, so that boundaries are met often. */
    static LinkOptions options(LinkMode mode) {
        return shallow(mode)
                .withCandidates(
                        List.of(
                                new Candidate(4096, 32 << 10),
                                new Candidate(8192, 16 << 10),
                                new Candidate(16384, 65536)),
                        Duration.ofMillis(1));
    }

    private void carry(int to, ByteBuffer message) {
        if (to == heldFrom) {
            held.add(message);
        } else {
            ends[to].link().onMessage(message);
        }
    }

    /** Puts the messages to one side on this list from now on, from which the caller brings them to it. */
    List<ByteBuffer> holdMessagesTo(int side) {
        heldFrom = side;
        return held;
    }

    void letMessagesPass() {
        heldFrom = NEITHER;
    }

    SimWorld world() {
        return world;
    }

    int arrived(int side) {
        return cable.arrived(side);
    }

    SimEnd end(int side) {
        return ends[side];
    }

    List<SimTransfer> transfers() {
        return transfers;
    }

    /** A range full of random bytes, offered by one side. It is written over as soon as the link has let go of it. */
    Offer offer(int side, int bytes, boolean precomputed) {
        SimMemory.SimRange source = ends[side].memory().lease("source " + sources.size() + " of side " + side, bytes);
        source.fill(world);
        sources.add(source);
        RangePart all = RangePart.all(source);
        QueuePairLink link = ends[side].link();
        int[] checksums = precomputed ? MessageChecksums.of(all, link.offerMessageBytes()) : null;
        return link.offer(all, checksums, () -> source.fill(world));
    }

    /** The bytes that were offered last. */
    byte[] lastOffered() {
        return sources.get(sources.size() - 1).copy();
    }

    /** Fetches to one side, by an offer that travelled as bytes. */
    Transfer fetch(int side, Offer offer, long from, long bytes, byte[] content, long deadlineNanos, Runnable onEnd) {
        ByteBuffer wire = ByteBuffer.allocate(offer.encodedBytes());
        offer.encode(wire);
        Offer.Part part = Offer.decode(wire.flip()).part(from, bytes);
        SimMemory.SimRange destination =
                ends[side].memory().lease("destination " + transfers.size() + " of side " + side, (int) bytes);
        byte[] expected = Arrays.copyOfRange(content, (int) from, (int) (from + bytes));
        SimTransfer transfer = new SimTransfer(destination, expected, onEnd);
        transfers.add(transfer);
        return ends[side].link().fetch(part, RangePart.all(destination), deadlineNanos, transfer);
    }

    boolean isOver() {
        return ends[0].isOver() && ends[1].isOver();
    }

    /** Lets time pass until both links have ended, and then lets arrive what is still on its way. */
    void settle() {
        while (!isOver()) {
            step();
        }
        for (Long next = world.nextNanos(); next != null; next = world.nextNanos()) {
            if (next > LIMIT_NANOS) {
                throw new AssertionError("the fabric does not come to rest");
            }
            world.advanceTo(next);
        }
    }

    /** Lets time pass. Once both links have ended, only what is still on its way arrives. */
    void runFor(long nanos) {
        long until = world.now() + nanos;
        world.after(nanos, () -> {});
        while (world.now() < until && !isOver()) {
            step();
        }
        for (Long next = world.nextNanos(); next != null && next <= until; next = world.nextNanos()) {
            world.advanceTo(next);
        }
    }

    /** Lets both links work until they wait, and then time pass until the next event. */
    void step() {
        int rounds = 0;
        while (pollBoth()) {
            if (++rounds > MAX_ROUNDS) {
                throw new AssertionError("the links work without end at " + world.now() + " ns");
            }
        }
        loseChannel();
        Long next = Deadlines.earlier(world.nextNanos(), Deadlines.earlier(deadline(0), deadline(1)));
        if (isOver()) {
            return;
        }
        if (next == null || next > LIMIT_NANOS) {
            throw new AssertionError("the links hang: " + ends[0].link() + ", " + ends[1].link());
        }
        world.advanceTo(next);
    }

    private boolean pollBoth() {
        boolean first = ends[0].poll();
        return ends[1].poll() || first;
    }

    private @Nullable Long deadline(int side) {
        QueuePairLink link = ends[side].link();
        Long deadline = link.nextDeadlineNanos();
        if (deadline == null && !link.state().isFinal() && link.state() != LinkState.UP) {
            throw new AssertionError(link + " waits without a deadline");
        }
        return deadline;
    }

    /** An owner notices that its connection broke. */
    private void loseChannel() {
        if (!channelLost && cable.channelBreaks()) {
            channelLost = true;
            for (SimEnd end : ends) {
                world.after(world.between(0, 5_000_000), () -> end.link().onChannelLost("the connection was reset"));
            }
        }
    }

    /** Asserts what must hold when all is over. */
    void assertSettled() {
        for (SimTransfer transfer : transfers) {
            if (transfer.endings() != 1) {
                throw new AssertionError(
                        "a transfer to " + transfer.destination() + " ended " + transfer.endings() + " times");
            }
        }
        boolean mayQuarantine = faults.isSet(Kind.STUCK_CONTROL) || faults.isSet(Kind.NOT_DESTROYED);
        for (SimEnd end : ends) {
            for (SimMemory.SimRange range : end.memory().ranges()) {
                if (!range.isHome() && (range.quarantined() == null || !mayQuarantine)) {
                    throw new AssertionError("not home: " + range);
                }
            }
            List<String> told = end.told();
            if (!told.equals(List.of("down", "ended")) && !told.equals(List.of("up", "down", "ended"))) {
                throw new AssertionError("the owner was told " + told);
            }
        }
    }
}
