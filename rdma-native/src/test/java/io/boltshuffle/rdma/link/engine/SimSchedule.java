package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.Link;
import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.Transfer;
import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.memory.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A schedule drawn from a seed: which link, which faults, what is fetched when, and when it is closed. */
final class SimSchedule {

    private static final long SECOND = 1_000_000_000L;

    private final SimWorld world;
    private final SimFaults faults;
    private final LinkMode mode;
    private final SimPair pair;
    private final List<Claimed> claimed = new ArrayList<>();
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
        assertClaimsWereSettled();
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
        int bytes = size(link.offerMessageBytes());
        if (world.oneIn(4)) {
            offerClaimed(side, link, bytes);
            return;
        }
        Offer offer = pair.offer(side, bytes, world.oneIn(2));
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

    /** Its checksums are wrong in one message, or in none. Nothing but that may be withheld; no link goes down. */
    private void offerClaimed(int side, QueuePairLink link, int bytes) {
        int messages = (bytes - 1) / link.offerMessageBytes() + 1;
        int wrong = world.oneIn(2) ? (int) world.between(0, messages) : -1;
        AtomicBoolean toldWrong = new AtomicBoolean();
        Offer offer = pair.offerClaimed(side, bytes, wrong, () -> toldWrong.set(true));
        byte[] content = pair.lastOffered();
        world.after(world.between(0, 500_000), () -> {
            claimed.add(new Claimed(side, wrong >= 0, pair.transfers().size(), toldWrong));
            Transfer unused =
                    pair.fetch(1 - side, offer, 0, offer.bytes(), content, world.now() + 10 * SECOND, () -> {});
        });
    }

    /** A transfer of claimed bytes: by its number. */
    private record Claimed(int side, boolean wrong, int transfer, AtomicBoolean toldWrong) {}

    private void assertClaimsWereSettled() {
        for (Claimed one : claimed) {
            SimTransfer transfer = pair.transfers().get(one.transfer());
            if (one.wrong() && transfer.isVerified()) {
                throw new AssertionError("bytes were delivered whose claimed checksum is wrong");
            }
            if (!one.wrong() && one.toldWrong().get()) {
                throw new AssertionError("a right claim was called wrong");
            }
            boolean doubted = transfer.reason() == TransferFailure.Reason.CLAIM_DOUBTED;
            if (faults.isEmpty()
                    && doubted != one.toldWrong().get()
                    && pair.end(one.side()).failure() == null) {
                throw new AssertionError("doubted: " + doubted + ", but the owner was told "
                        + one.toldWrong().get());
            }
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
