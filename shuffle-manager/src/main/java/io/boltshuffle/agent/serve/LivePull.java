package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.live.BlockAsker;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A pull of a block in an owner's memory, with a copy of its own: the owner is asked, memory is leased for the size
 * that it tells, the owner lays the block there, links offer it. Peers that read get a partition or a result so, in
 * memory that stays registered for them; other pulls {@link SharedPull share} copies.
 *
 * <p><b>Invariant:</b> a pull that ends before memory was lent to the owner cancels its question, so that the owner
 * unlocks the block.
 *
 * <p><b>Threads:</b> confined to the agent's loop, except what is said to run on a reader.
 */
final class LivePull extends ServedPull implements BlockAsker, StagingMemory.Waiter {

    private long askId;
    private long bytes;
    private List<StripePlan.Part> parts = List.of();
    private StagingMemory.@Nullable Wait memoryWait;
    private @Nullable StagingArea area;

    LivePull(ServedPeer peer, Consumer<ServedPull> onOver, long id, PullRequest request) {
        super(peer, onOver, id, request, "not laid out");
    }

    @Override
    void start() {
        askId = services()
                .served()
                .live()
                .ask(
                        request().application(),
                        request().executor(),
                        request().blocks().get(0),
                        Math.min(request().windowBytes(), services().largestLiveBlock()),
                        request().timeoutMillis(),
                        this);
    }

    @Override
    public void onSize(long size) {
        bytes = size;
        boolean isRead = peer().isRead();
        StagingArea kept = isRead ? peer().areas().take(size).orElse(null) : null;
        if (kept == null) {
            LeaseOwner owner = new LeaseOwner("block for " + peer().name());
            long wanted = isRead ? StagingAreas.roundUp(size) : size;
            memoryWait = services()
                    .stagingMemory()
                    .await(new StagingMemory.Wanted(owner, wanted, deadlineNanos()), isRead, this);
        } else {
            onMemory(kept);
        }
    }

    @Override
    public void onMemory(StagingArea granted) {
        area = granted;
        withStripes(stripes -> {
            parts = stripes.cut(bytes);
            if (parts.stream().anyMatch(part -> part.link().isRead())) {
                atReader(() -> openTo(granted));
            } else {
                lend(granted);
            }
        });
    }

    @Override
    public void onNoMemory(String detail) {
        fail(FailureReason.NO_MEMORY, detail);
    }

    /** Opens the memory to the peer, which clears it. Runs on a reader. */
    private Runnable openTo(StagingArea into) {
        try {
            for (StripePlan.Part part : parts) {
                into.openTo(part.link());
            }
            return () -> lend(into);
        } catch (IOException e) {
            String trouble = "the peer cannot be let at memory: " + e.getMessage();
            return () -> fail(FailureReason.LINK_FAILED, trouble);
        }
    }

    private void lend(StagingArea into) {
        services().served().live().lend(askId, into.lease().offset(), bytes);
    }

    @Override
    public void onLaid() {
        if (!giveBackIfOver()) {
            StagingArea from = Objects.requireNonNull(area);
            atReader(() -> offer(from));
        }
    }

    /** Offers the memory. Runs on a reader: a link that sums reads what it offers. */
    private Runnable offer(StagingArea from) {
        try {
            for (StripePlan.Part part : parts) {
                offers().add(Offered.of(part, from.rangeFor(part.link())));
            }
            return () -> answerWhole(bytes);
        } catch (IllegalStateException e) {
            String trouble = "the link went down: " + e.getMessage();
            return () -> fail(FailureReason.LINK_FAILED, trouble);
        }
    }

    @Override
    public void onNotLaid(FailureReason reason, String detail) {
        if (!giveBackIfOver()) {
            fail(reason, detail);
        }
    }

    @Override
    boolean callOff() {
        if (memoryWait != null) {
            memoryWait.callOff();
        }
        return services().served().live().callOff(askId);
    }

    @Override
    void giveBack(boolean isFreed) {
        if (area != null) {
            peer().areas().giveBack(area, isFreed);
        }
    }
}
