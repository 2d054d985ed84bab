package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.Link;
import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.Transfer;
import io.boltshuffle.rdma.memory.Lease;

/** A schedule drawn from a seed: which link, which faults, what is fetched when, and when it is closed. */
final class SimSchedule {

    private static final long SECOND = 1_000_000_000L;

    private final SimWorld world;
    private final SimFaults faults;
    private final LinkMode mode;
    private final SimPair pair;
    private int offersLeft;

    SimSchedule(long seed) {
        this.world = new SimWorld(seed);
        this.faults = SimFaults.draw(world);
        this.mode = world.oneIn(3) ? LinkMode.READ : LinkMode.SEND;
        this.pair = new SimPair(world, faults, SimPair.options(mode));
        this.offersLeft = (int) world.between(0, 9);
    }

    SimPair run() {
        pair.end(0).whenUp(() -> whenUp(0));
        pair.end(1).whenUp(() -> whenUp(1));
        for (int side = 0; side < 2; side++) {
            Link link = pair.end(side).link();
            world.after(world.between(world.oneIn(8) ? 0 : SECOND, 2 * SECOND), () -> close(link));
        }
        pair.settle();
        pair.assertSettled();
        assertGoodWithoutFaults();
        return pair;
    }

    private void close(Link link) {
        link.close(world.now() + world.between(0, SECOND));
    }

    private void whenUp(int side) {
        int count = offersLeft / 2;
        for (int i = 0; i < count; i++) {
            world.after(world.between(0, 20_000_000), () -> offer(side));
        }
    }

    private void offer(int side) {
        QueuePairLink link = pair.end(side).link();
        Offer offer = pair.offer(side, size(link.offerMessageBytes()), world.oneIn(2));
        byte[] content = pair.lastOffered();
        int messages = offer.cut().count();
        int split = messages > 1 && world.oneIn(3) ? (int) world.between(1, messages) : 0;
        long at = offer.cut().offset(split);
        Countdown whenRead = new Countdown(split == 0 ? 1 : 2, () -> world.after(50_000, () -> link.withdraw(offer)));
        if (split > 0) {
            fetchLater(1 - side, offer, 0, at, content, whenRead);
        }
        fetchLater(1 - side, offer, at, offer.bytes() - at, content, whenRead);
        if (world.oneIn(10)) {
            world.after(world.between(0, 1_000_000), () -> link.withdraw(offer));
        }
    }

    private void fetchLater(int side, Offer offer, long from, long bytes, byte[] content, Countdown whenRead) {
        world.after(world.between(0, 500_000), () -> {
            long patience = world.oneIn(6) ? world.between(0, 300_000) : 10 * SECOND;
            Transfer transfer = pair.fetch(side, offer, from, bytes, content, world.now() + patience, whenRead::down);
            if (world.oneIn(10)) {
                world.after(world.between(0, 300_000), transfer::cancel);
            }
        });
    }

    /** Around frame and message boundaries. */
    private int size(int messageBytes) {
        int unit = world.oneIn(2) ? Lease.FRAME_BYTES : messageBytes;
        long size = unit * world.between(0, 10) + world.between(-1, 2);
        return (int) Math.max(1, size);
    }

    private void assertGoodWithoutFaults() {
        if (!faults.isEmpty()) {
            return;
        }
        for (int side = 0; side < 2; side++) {
            LinkFailure failure = pair.end(side).failure();
            boolean hurried = failure != null
                    && failure.reason() != LinkFailure.Reason.DRAIN_TIMEOUT
                    && failure.reason() != LinkFailure.Reason.PEER_FAILED;
            if (hurried) {
                throw new AssertionError("a link failed though nothing went wrong: " + failure);
            }
        }
    }

    @Override
    public String toString() {
        return mode + ", faults " + faults;
    }

    private static final class Countdown {
        private final Runnable atZero;
        private int left;

        private Countdown(int left, Runnable atZero) {
            this.left = left;
            this.atZero = atZero;
        }

        private void down() {
            if (--left == 0) {
                atZero.run();
            }
        }
    }
}
