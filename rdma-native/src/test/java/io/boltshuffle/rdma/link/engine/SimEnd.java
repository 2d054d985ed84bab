package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.CalibrationHistory;
import io.boltshuffle.rdma.link.LinkDevice;
import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.LinkParts;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.OutOfBand;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.link.engine.SimFaults.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One host of a simulated pair: its memory, control thread and link, and what its owner was told. */
final class SimEnd implements LinkListener {

    private final SimWorld world;
    private final SimMemory memory;
    private final SimWorld.SimThread control;
    private final QueuePairLink link;
    private final List<String> told = new ArrayList<>();
    private @Nullable LinkReport report;
    private @Nullable LinkFailure failure;
    private Runnable onUp = () -> {};

    SimEnd(
            int side,
            SimWorld world,
            SimMemory memory,
            SimDevice device,
            OutOfBand channel,
            SimFaults faults,
            LinkOptions options) {
        this.world = world;
        this.memory = memory;
        this.control = world.new SimThread(500_000);
        if (faults.isSet(Kind.STUCK_CONTROL) && faults.side() == side) {
            control.getStuckAfter(faults.n(Kind.STUCK_CONTROL) % 4);
        }
        Executor checksums = world.oneIn(2) ? world.new SimThread(100_000) : null;
        RegisteredRange scratch = memory.lease("scratch of side " + side, 64 << 10);
        this.link = new QueuePairLink(
                new LinkParts(
                        open(device),
                        scratch,
                        channel,
                        this,
                        options,
                        new CalibrationHistory(),
                        checksums,
                        world.random().split()),
                () -> {},
                world::now);
    }

    private LinkDevice open(SimDevice device) {
        try {
            return LinkDevice.open(device, device.name(), 1, control);
        } catch (VerbsException e) {
            throw new IllegalStateException(e);
        }
    }

    void whenUp(Runnable action) {
        onUp = action;
    }

    QueuePairLink link() {
        return link;
    }

    SimWorld.SimThread control() {
        return control;
    }

    SimMemory memory() {
        return memory;
    }

    boolean poll() {
        return link.poll(world.now()) > 0;
    }

    boolean isOver() {
        return link.state().isFinal();
    }

    LinkReport report() {
        if (report == null) {
            throw new AssertionError("the link was never up: " + failure);
        }
        return report;
    }

    @Nullable LinkFailure failure() {
        return failure;
    }

    List<String> told() {
        return told;
    }

    @Override
    public void onUp(LinkReport up) {
        told.add("up");
        report = up;
        onUp.run();
    }

    @Override
    public void onDown(@Nullable LinkFailure why) {
        told.add("down");
        failure = why;
    }

    @Override
    public void onEnded(LinkState end) {
        told.add("ended");
    }
}
