package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.conf.Options;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A pull of blocks in files: blocks are looked up, memory is leased, files are read into it, links offer it.
 *
 * <p><b>Invariant:</b> what the peer reads itself lies in an area that is open to this peer alone. A pull that ended
 * waits for no memory, and nothing more is read for it but what a reader is in the middle of.
 *
 * <p><b>Threads:</b> confined to the agent's loop, except what is said to run on a reader.
 */
final class StagedPull extends ServedPull {

    private StagingBudget.@Nullable Share share;
    private @Nullable StagingArea area;
    private StagingMemory.@Nullable Wait memoryWait;

    StagedPull(ServedPeer peer, Consumer<ServedPull> onOver, long id, PullRequest request) {
        super(peer, onOver, id, request, "not staged");
    }

    @Override
    void start() {
        StripePlan stripes = peer().nextStripes().orElse(null);
        atReader(() -> lookUp(stripes));
    }

    /**
     * Finds the blocks on a reader, which goes straight on to reading where memory and links are there: a change of
     * threads is slow on a busy host.
     */
    private Runnable lookUp(@Nullable StripePlan stripes) {
        long windowBytes =
                Math.min(request().windowBytes(), services().settings().get(Options.FETCH_WINDOW));
        StagingPlan plan =
                StagingPlan.of(request(), services().served().source()::locate, windowBytes, this::checkWanted);
        FetchTrace.step(FetchStep.BLOCKS_FOUND);
        if (plan.bytes() == 0) {
            return () -> answer(List.of(), plan.failures(), plan.detail());
        }
        StagingArea taken = stripes == null ? null : take(plan.bytes(), stripes);
        if (stripes == null || taken == null) {
            return () -> awaitMemory(plan);
        }
        return stage(plan, stripes, taken);
    }

    /**
     * Takes a share of the staging budget and memory on a reader, if both are to be had now. If not, the pull may have
     * a share all the same. Where the peer reads, the area is open to it, and may be one that was kept.
     */
    private @Nullable StagingArea take(long planned, StripePlan stripes) {
        boolean isRead = stripes.links().stream().anyMatch(ActiveLink::isRead);
        area = isRead ? peer().areas().take(planned).orElse(null) : null;
        if (area == null) {
            long bytes = areaBytes(planned, isRead);
            share = services().budget().tryTake(bytes, isRead).orElse(null);
            Lease lease = share == null
                    ? null
                    : services().pool().tryAcquire(owner(), bytes).orElse(null);
            if (share != null && lease != null) {
                area = new StagingArea(lease, share);
                share = null;
            }
        }
        return area;
    }

    private long areaBytes(long bytes, boolean isRead) {
        long wanted = isRead ? StagingAreas.roundUp(bytes) : bytes;
        return Math.max(bytes, Math.min(wanted, services().pool().slab().bytes()));
    }

    private LeaseOwner owner() {
        return new LeaseOwner("staging for " + peer().name());
    }

    /** Fails if the pull is over. Called on a reader, before each file. */
    private void checkWanted() {
        if (isOver()) {
            throw new CancellationException("pull " + id() + " of " + peer().name() + " ended");
        }
    }

    /** Reads the blocks and offers them. Runs on a reader. */
    private Runnable stage(StagingPlan plan, StripePlan stripes, StagingArea into) {
        OfferedBlocks blocks =
                new OfferedBlocks(request(), services().served(), stripes, into, offers(), this::checkWanted);
        try {
            blocks.offer(plan);
            return () -> answer(blocks.slices(), blocks.failures(), blocks.detail());
        } catch (IOException e) {
            String trouble = String.valueOf(e.getMessage());
            return () -> fail(FailureReason.LINK_FAILED, trouble);
        }
    }

    /** There was not all that reading takes. */
    private void awaitMemory(StagingPlan plan) {
        boolean isRead = peer().isRead();
        StagingMemory.Wanted wanted =
                new StagingMemory.Wanted(owner(), areaBytes(plan.bytes(), isRead), deadlineNanos());
        StagingMemory.Waiter waiter = new StagingMemory.Waiter() {
            @Override
            public void onMemory(StagingArea granted) {
                area = granted;
                withStripes(stripes -> atReader(() -> stage(plan, stripes, granted)));
            }

            @Override
            public void onNoMemory(String detail) {
                fail(FailureReason.NO_MEMORY, detail);
            }
        };
        StagingBudget.Share taken = share;
        share = null;
        memoryWait = taken == null
                ? services().stagingMemory().await(wanted, isRead, waiter)
                : services().stagingMemory().await(wanted, taken, waiter);
    }

    @Override
    boolean callOff() {
        if (memoryWait != null) {
            memoryWait.callOff();
        }
        return true;
    }

    @Override
    void giveBack(boolean isFreed) {
        if (area != null) {
            peer().areas().giveBack(area, isFreed);
        }
        if (share != null) {
            share.end();
        }
    }
}
