package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.Transfer;
import io.boltshuffle.rdma.link.engine.SimFaults.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One transfer of a few messages between two simulated hosts, run with disturbances at chosen steps. A step is what
 * happens between two moments at which a link waits: a message arrives, a completion is seen, a message of the channel
 * comes, a timer fires, a control call returns.
 *
 * <p>Nothing but the seed, the fault and the places decides what happens: a run that is not disturbed shows which steps
 * there are, and every other run is one of finitely many.
 */
final class Exploration {
    private static final int SERVER = 0;
    private static final int READER = 1;
    static final int MESSAGES = Integer.getInteger("bolt.sim.messages", 5);
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long SETUP_NANOS = Duration.ofSeconds(5).toNanos();

    private final LinkMode mode;
    private final long seed;

    Exploration(LinkMode mode, long seed) {
        this.mode = mode;
        this.seed = seed;
    }

    /** A step that an owner of a link, or its peer, may take at any time. */
    enum Disturbance {
        CANCELLED,
        /** The deadline of the transfer falls here. */
        TIMED_OUT,
        WITHDRAWN,
        READER_CLOSES,
        SERVER_CLOSES,
        READER_LOSES_CHANNEL,
        SERVER_LOSES_CHANNEL
    }

    /** A disturbance before the n-th step since the transfer was asked for. */
    record Placed(Disturbance what, int step) {
        @Override
        public String toString() {
            return what.name().toLowerCase(Locale.ROOT) + "@" + step;
        }
    }

    /**
     * The course of a run without disturbances.
     *
     * @param stepNanos the time of each step
     * @param arrived messages that came to the reader before the transfer
     */
    record Course(List<Long> stepNanos, int arrived) {
        int steps() {
            return stepNanos.size();
        }
    }

    /** One run, in which what must always hold is asserted at each step, and what must hold in the end at its end. */
    private final class Run {
        private final List<Placed> places;
        private final List<Long> courseNanos;
        private final SimWorld world = new SimWorld(seed);
        private final SimPair pair;
        private final List<Long> stepNanos = new ArrayList<>();
        private int arrivedBefore;

        Run(SimFaults faults, List<Placed> places, List<Long> courseNanos) {
            this.places = places;
            this.courseNanos = courseNanos;
            this.pair = new SimPair(world, faults, SimPair.options(mode));
        }

        void go() {
            comeUp();
            arrivedBefore = pair.arrived(READER);
            QueuePairLink server = pair.end(SERVER).link();
            Offer offer = pair.offer(SERVER, MESSAGES * server.offerMessageBytes() - 5, /* precomputed= */ true);
            Runnable withdraw = () -> world.after(1, () -> server.withdraw(offer));
            Transfer transfer =
                    pair.fetch(READER, offer, 0, offer.bytes(), pair.lastOffered(), deadlineNanos(), withdraw);
            SimTransfer heard = pair.transfers().get(0);
            // While this is to come there is a next step, though the links may wait for nothing.
            world.after(PATIENCE_NANOS, () -> {});
            int last = places.stream().mapToInt(Placed::step).max().orElse(-1);
            for (int step = 0; step <= last || heard.endings() == 0; step++) {
                disturb(step, transfer, offer);
                if (pair.isOver() || (world.nextNanos() == null && heard.endings() > 0)) {
                    break;
                }
                stepNanos.add(world.now());
                pair.step();
            }
            server.close(world.now() + PATIENCE_NANOS);
            pair.end(READER).link().close(world.now() + PATIENCE_NANOS);
            pair.settle();
            pair.assertSettled();
        }

        private void comeUp() {
            pair.runFor(SETUP_NANOS);
            if (!isUp(SERVER) || !isUp(READER)) {
                throw new AssertionError("the links do not come up");
            }
        }

        private boolean isUp(int side) {
            return pair.end(side).link().state() == LinkState.UP;
        }

        private long deadlineNanos() {
            return places.stream()
                    .filter(place -> place.what() == Disturbance.TIMED_OUT)
                    .mapToLong(place -> courseNanos.get(place.step()))
                    .findFirst()
                    .orElse(world.now() + PATIENCE_NANOS);
        }

        private void disturb(int step, Transfer transfer, Offer offer) {
            for (Placed place : places) {
                if (place.step() == step) {
                    disturb(place.what(), transfer, offer);
                }
            }
        }

        private void disturb(Disturbance what, Transfer transfer, Offer offer) {
            QueuePairLink server = pair.end(SERVER).link();
            QueuePairLink reader = pair.end(READER).link();
            switch (what) {
                case CANCELLED -> transfer.cancel();
                case TIMED_OUT -> {} // the transfer has been given this deadline
                case WITHDRAWN -> server.withdraw(offer);
                case READER_CLOSES -> reader.close(world.now() + PATIENCE_NANOS);
                case SERVER_CLOSES -> server.close(world.now() + PATIENCE_NANOS);
                case READER_LOSES_CHANNEL -> reader.onChannelLost("the connection was reset");
                case SERVER_LOSES_CHANNEL -> server.onChannelLost("the connection was reset");
            }
        }
    }

    /** Runs without disturbances; the transfer must succeed. */
    Course undisturbed() {
        Run run = new Run(SimFaults.none(), List.of(), List.of());
        run.go();
        if (!run.pair.transfers().get(0).isVerified()) {
            throw new AssertionError("the undisturbed transfer failed");
        }
        return new Course(List.copyOf(run.stepNanos), run.arrivedBefore);
    }

    void run(Course course, List<Placed> places) {
        go(SimFaults.none(), course, places);
    }

    /** @param message which of those that come to the reader the fault strikes, counted from the transfer's first */
    void run(Course course, Kind fault, int message, Placed place) {
        go(SimFaults.of(fault, course.arrived() + message, READER), course, List.of(place));
    }

    private void go(SimFaults faults, Course course, List<Placed> places) {
        try {
            new Run(faults, places, course.stepNanos()).go();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    mode + ", seed " + seed + ", " + faults + ", " + places + ": " + e.getMessage(), e);
        }
    }
}
