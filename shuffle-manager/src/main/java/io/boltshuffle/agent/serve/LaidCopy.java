package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.live.BlockAsker;
import io.boltshuffle.agent.live.BlockOwner;
import io.boltshuffle.agent.live.LiveBlocks;
import io.boltshuffle.rdma.link.MemoryWindow;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.rdma.memory.LeaseState;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A block of an owner's memory that lies in the slab once for all pulls that hold it: the owner is asked, memory is
 * leased for the size that it tells, the owner lays the block there.
 *
 * <p><b>Invariant:</b> the memory is given back exactly once, when nothing holds the copy and the owner writes no more.
 * Links that offer it have holds of their own. A copy that nothing holds before the owner was lent memory calls its
 * question off, so that the owner lets the block go.
 *
 * <p><b>Threads:</b> confined to the agent's loop, except what readers call for a holder: {@link #rangeFor}
 * and {@link #isUsable}.
 *
 * <p><b>Ownership:</b> of the memory, and of the ports that are open to it.
 */
final class LaidCopy implements BlockAsker, StagingMemory.Waiter {

    /** The key by which a copy is found. */
    record Key(BlockOwner owner, BlockRange block) {}

    /** Hears of the copy's life. */
    interface Listener {
        /** One that nothing held is held again. */
        void onHeldAgain(LaidCopy copy);

        /** Pulls are served from a copy that was laid out for another one. */
        void onShared(long pulls);

        /** The copy is whole, and nothing holds it any more: it stays until it is {@link LaidCopy#end ended}. */
        void onUnheld(LaidCopy copy);

        /** The copy is no more. */
        void onEnded(LaidCopy copy);
    }

    /** Wants a copy, and keeps it until it lets go. Called on the loop, with one of these. */
    interface Holder {
        /** The copy is whole. */
        void onLaid();

        /** The copy will not come, and is not held any more. */
        void onNotLaid(FailureReason reason, String detail);
    }

    /**
     * A question for a copy of a block.
     *
     * @param maxBytes a larger block is not wanted
     * @param timeoutMillis after this long the first one that asked does not want it any more
     */
    record Question(String application, String executor, BlockRange block, long maxBytes, long timeoutMillis) {}

    private final Listener listener;
    private final StagingMemory memory;
    private final LiveBlocks live;
    private final @Nullable Key key;
    private final Question question;
    private final long deadlineNanos;
    private final Set<Holder> holders = new LinkedHashSet<>();
    private final OpenPorts ports = new OpenPorts();
    private CopyState state = CopyState.NEW;
    private long askId;
    private long bytes;
    private StagingMemory.@Nullable Wait memoryWait;
    private @Nullable StagingArea area;

    /** @param key what others find it by; null if there is no owner to ask */
    LaidCopy(
            Listener listener,
            StagingMemory memory,
            LiveBlocks live,
            @Nullable Key key,
            Question question,
            long deadlineNanos) {
        this.listener = listener;
        this.memory = memory;
        this.live = live;
        this.key = key;
        this.question = question;
        this.deadlineNanos = deadlineNanos;
    }

    @Nullable Key key() {
        return key;
    }

    /** Returns whether the owner was not asked for the block yet: the first holder does that. */
    boolean isNew() {
        return state == CopyState.NEW;
    }

    /**
     * Returns whether this copy answers another question, too. The owner does not change the block from before it is
     * lent memory until it has laid the block out, or says that it did not. After that only pieces of broadcasts are
     * sure not to be replaced by other blocks of the same name.
     */
    boolean answers(Question other) {
        if (state.isBeforeLaid()) {
            return other.maxBytes() == question.maxBytes();
        }
        return isImmutable() && bytes <= other.maxBytes() && isUsable();
    }

    private boolean isImmutable() {
        return LiveBlock.of(question.block())
                .filter(block -> block.kind() == LiveBlock.Kind.BROADCAST_PIECE)
                .isPresent();
    }

    /** Returns whether the copy may be offered: a link in doubt may have put its memory into quarantine. */
    boolean isUsable() {
        return state == CopyState.LAID && lease().state() == LeaseState.HELD;
    }

    /** Returns whether another pull may want the copy when nothing holds it. */
    boolean isWorthKeeping() {
        return isImmutable() && isUsable();
    }

    long bytes() {
        return bytes;
    }

    /** Returns how much of the slab it takes: whole frames. */
    long cost() {
        return (long) lease().frames() * Lease.FRAME_BYTES;
    }

    private Lease lease() {
        return Objects.requireNonNull(area).lease();
    }

    /** Holds it until {@link #letGo}. If it is there, or cannot come, the holder hears so before this returns. */
    void hold(Holder holder) {
        holders.add(holder);
        if (state == CopyState.NEW) {
            become(CopyState.ASKED);
            askId = live.ask(
                    question.application(),
                    question.executor(),
                    question.block(),
                    question.maxBytes(),
                    question.timeoutMillis(),
                    this);
        } else if (state == CopyState.LAID) {
            listener.onHeldAgain(this);
            holder.onLaid();
        }
    }

    /** The holder needs it no more. It has no effect for one that heard that the copy will not come. */
    void letGo(Holder holder) {
        if (!holders.remove(holder) || !holders.isEmpty()) {
            return;
        }
        if (state == CopyState.LAID) {
            listener.onUnheld(this);
        } else if (state == CopyState.ASKED || state == CopyState.WAITING_FOR_MEMORY) {
            live.callOff(askId);
            end();
        }
    }

    @Override
    public void onSize(long size) {
        bytes = size;
        become(CopyState.WAITING_FOR_MEMORY);
        StagingMemory.Wanted wanted = new StagingMemory.Wanted(owner(), size, deadlineNanos);
        memoryWait = memory.await(wanted, /* isReadable= */ false, this);
    }

    /** One for each copy: what the copies of one process have together is limited by the staging budget only. */
    private LeaseOwner owner() {
        return new LeaseOwner(
                "block " + askId + " of executor " + question.executor() + " of " + question.application());
    }

    @Override
    public void onMemory(StagingArea granted) {
        area = granted;
        become(CopyState.WRITING);
        live.lend(askId, lease().offset(), bytes);
    }

    @Override
    public void onNoMemory(String detail) {
        live.callOff(askId);
        fail(FailureReason.NO_MEMORY, detail);
    }

    @Override
    public void onLaid() {
        become(CopyState.LAID);
        if (holders.isEmpty()) {
            listener.onUnheld(this);
        } else {
            listener.onShared(holders.size() - 1);
            List.copyOf(holders).stream().filter(holders::contains).forEach(Holder::onLaid);
        }
    }

    @Override
    public void onNotLaid(FailureReason reason, String detail) {
        fail(reason, detail);
    }

    private void fail(FailureReason reason, String detail) {
        List<Holder> left = List.copyOf(holders);
        holders.clear();
        end();
        left.forEach(holder -> holder.onNotLaid(reason, detail));
    }

    /**
     * Returns the whole copy as a link offers it. Call it on a reader: where the peer reads, it opens the copy to all
     * peers of the link's port, each of which proved the application before it is told the key.
     *
     * @throws IOException if the port refuses
     */
    RegisteredRange rangeFor(ActiveLink link) throws IOException {
        MemoryWindow window = link.window();
        if (window == null) {
            return link.rangeOf(lease());
        }
        return ports.open(lease(), bytes, window.ofPort())
                .orElseThrow(() -> new IOException("the peer cannot be let at a copy that it shares"));
    }

    /** Gives up a copy that nothing holds and nobody writes. */
    void end() {
        become(CopyState.ENDED);
        listener.onEnded(this);
        if (memoryWait != null) {
            memoryWait.callOff();
        }
        ports.close();
        if (area != null) {
            area.close();
            area = null;
        }
    }

    private void become(CopyState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("a copy that is " + state + " was to become " + next);
        }
        state = next;
    }
}
