package io.boltshuffle.client;

import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.SlabDescriptor;
import io.boltshuffle.rdma.memory.SlabException;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.rdma.memory.SlabReader;
import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ExecutorMessage;
import io.boltshuffle.wire.SlabFacts;
import io.boltshuffle.wire.WireException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Represents the agent's slab as one session has it: mapped, with the leases of it that the agent gave this session.
 *
 * <p><b>Invariant:</b> each lease that came goes back once, whatever becomes of its bytes.
 *
 * <p><b>Threads:</b> confined to the client's loop. Any thread may release fetched bytes.
 *
 * <p><b>Ownership:</b> the session closes the slab when no lease is left.
 */
final class LeasedSlab {

    private final SlabReader memory;
    private final Loop loop;
    private final ClientCounters counters;
    private final Consumer<ExecutorMessage> wayBack;
    private int leases;
    private boolean writable;

    private LeasedSlab(SlabReader memory, Loop loop, ClientCounters counters, Consumer<ExecutorMessage> wayBack) {
        this.memory = memory;
        this.loop = loop;
        this.counters = counters;
        this.wayBack = wayBack;
    }

    /** @param wayBack tells the agent of each lease that went back, after it went; it runs on the loop */
    static LeasedSlab map(SlabFacts facts, Loop loop, ClientCounters counters, Consumer<ExecutorMessage> wayBack)
            throws SlabException {
        return new LeasedSlab(SlabReader.map(descriptor(facts)), loop, counters, wayBack);
    }

    private static SlabDescriptor descriptor(SlabFacts facts) {
        SlabLocation.Kind kind =
                facts.posixSharedMemory() ? SlabLocation.Kind.POSIX_SHARED_MEMORY : SlabLocation.Kind.FILE;
        return new SlabDescriptor(
                new SlabLocation(kind, facts.name()), facts.bytes(), facts.identityHigh(), facts.identityLow());
    }

    long bytes() {
        return memory.bytes();
    }

    /** Returns whether this process may still use a lease. */
    boolean isLeased() {
        return leases > 0;
    }

    void close() {
        memory.close();
    }

    /** Makes the slab writable, for what the agent lends of it. */
    void openForWriting() throws SlabException {
        if (!writable) {
            memory.openForWriting();
            writable = true;
        }
    }

    /** Takes memory that the agent lends for a block; it goes back by {@link #giveBack}. */
    ByteBuffer lend(AgentMessage.LayHere here) throws WireException {
        if (!writable || here.bytes() < 1 || here.bytes() > memory.bytes() - here.slabOffset()) {
            throw new WireException("memory for a block that is not in the slab");
        }
        leases++;
        return memory.writableView(here.slabOffset(), (int) here.bytes());
    }

    /** Gives memory for a block back, by the answer to the agent's question. */
    void giveBack(ExecutorMessage answer) {
        returned(answer);
    }

    /**
     * Takes blocks that lie in the slab and gives them to their fetch.
     *
     * @param fetch null if the fetch has ended; the memory then goes back at once
     */
    void deliver(AgentMessage.Blocks blocks, @Nullable PendingFetch fetch) throws WireException {
        long bytes = 0;
        for (BlockSlice slice : blocks.slices()) {
            bytes += slice.bytes();
        }
        if (bytes < 1 || bytes > Integer.MAX_VALUE || bytes > memory.bytes() - blocks.slabOffset()) {
            throw new WireException("blocks that are not in the slab");
        }
        leases++;
        if (fetch == null) {
            release(blocks.leaseId());
            return;
        }
        fetch.progress(bytes);
        // The code that assembles a large block copies its pieces itself, possibly to a file.
        if (blocks.copyOut() && blocks.slices().stream().allMatch(BlockSlice::isWhole)) {
            deliverCopy(blocks, fetch, copyOut(blocks.slabOffset(), (int) bytes, blocks.leaseId()));
        } else {
            deliverInPlace(blocks, fetch, (int) bytes);
        }
    }

    private static void deliverCopy(AgentMessage.Blocks blocks, PendingFetch fetch, ByteBuffer copy)
            throws WireException {
        FetchedBytes.Cut cut = new FetchedBytes.Cut(FetchedBytes.Arrival.copied(copy));
        for (BlockSlice slice : blocks.slices()) {
            fetch.onSlice(slice, cut.next(slice));
        }
    }

    /**
     * Delivers the slices. Slices that the listener was given belong to it, even if it threw, because it may have
     * handed them to a task. This method releases the slices that it was not given.
     */
    private void deliverInPlace(AgentMessage.Blocks blocks, PendingFetch fetch, int bytes) throws WireException {
        List<BlockSlice> slices = blocks.slices();
        SlabLease lease = own(blocks.leaseId(), slices.size());
        int given = 0;
        try {
            ByteBuffer inSlab = memory.view(blocks.slabOffset(), bytes);
            FetchedBytes.Cut cut = new FetchedBytes.Cut(FetchedBytes.Arrival.inSlab(inSlab, blocks.copyOut(), lease));
            while (given < slices.size()) {
                BlockSlice slice = slices.get(given);
                FetchedBytes fetched = cut.next(slice);
                given++;
                give(fetch, slice, fetched);
            }
        } finally {
            lease.releaseFrom(given);
        }
    }

    private static void give(PendingFetch fetch, BlockSlice slice, FetchedBytes bytes) throws WireException {
        try {
            fetch.onSlice(slice, bytes);
        } catch (WireException e) {
            // These bytes were unexpected, and the listener has not seen them.
            bytes.release();
            throw e;
        }
    }

    private SlabLease own(long leaseId, int slices) {
        try {
            return new SlabLease(slices, () -> loop.execute(() -> release(leaseId)), counters);
        } catch (RuntimeException | Error e) {
            release(leaseId);
            throw e;
        }
    }

    /** Copies the bytes out. The lease goes back even if there is no room for a copy. */
    private ByteBuffer copyOut(long offset, int bytes, long leaseId) {
        try {
            ByteBuffer copy =
                    ByteBuffer.allocate(bytes).put(memory.view(offset, bytes)).flip();
            counters.copiedOut(copy.remaining());
            return copy;
        } finally {
            release(leaseId);
        }
    }

    private void release(long leaseId) {
        returned(new ExecutorMessage.Release(leaseId));
    }

    private void returned(ExecutorMessage message) {
        leases--;
        wayBack.accept(message);
    }
}
