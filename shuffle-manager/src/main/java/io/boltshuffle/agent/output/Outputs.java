package io.boltshuffle.agent.output;

import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.LeaseState;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.OutputLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The map outputs of this host that lie in registered memory, and the memory in which tasks write more of them.
 *
 * <p><b>Invariants:</b> outputs take no more than their limits, of bytes and of blocks: what is known of a million tiny
 * blocks would fill the heap before their bytes fill the memory. An output goes as a whole, and never while it is held.
 * Memory that is lent stays the executor's until it publishes it, gives it back or is gone. Only older shuffles make
 * room for a newer one, the oldest first: the outputs of one shuffle do not drive each other out.
 *
 * <p><b>Threads:</b> any. Readers find, hold and let go without a lock, because they do so for each block.
 */
public final class Outputs {

    /** The most blocks that all outputs have together. Eight bytes of heap are kept for each. */
    public static final int MAX_BLOCKS = 1 << 20;

    /** Less memory than this is not worth its part of what a device can register. */
    private static final long LEAST_BYTES = 16 << 20;

    private record ShuffleKey(String application, int shuffleId) {}

    private record MapKey(String executor, long mapId) {}

    private record OutputKey(String application, String executor, int shuffleId, long mapId) {
        static OutputKey of(Output output) {
            return new OutputKey(output.application(), output.executor(), output.shuffleId(), output.mapId());
        }
    }

    private final LeasePool pool;
    private final int limitBlocks;
    /** Published outputs, the shuffle first that first published one. Guarded by this, as is all that follows. */
    private final Map<ShuffleKey, Map<MapKey, Output>> shuffles = new LinkedHashMap<>();

    /** Published outputs, for those who look for blocks. Written under the lock. */
    private final Map<OutputKey, Output> published = new ConcurrentHashMap<>();

    private volatile long limitBytes; // written under the lock, too
    private long givenUpBytes;
    /** Where the memory ends that outputs may lie in. */
    private long endBytes = Long.MAX_VALUE;

    private long usedBytes;
    private int outputs;
    private long blocks;
    private long publications;
    private long refused;
    private long evicted;
    private long withdrawn;
    private long lent;

    /** @param limitBytes the memory for outputs; with 0, every request is refused */
    public Outputs(LeasePool pool, long limitBytes) {
        this(pool, limitBytes, MAX_BLOCKS);
    }

    Outputs(LeasePool pool, long limitBytes, int limitBlocks) {
        this.pool = pool;
        this.limitBytes = limitBytes;
        this.limitBlocks = limitBlocks;
    }

    public long limitBytes() {
        return limitBytes;
    }

    /** Lends memory in which a task writes its output; empty if there is none now. It does not wait. */
    public synchronized Optional<Output> lend(String application, String executor, int shuffleId, long bytes) {
        if (bytes < 1 || bytes > limitBytes) {
            refused++;
            return Optional.empty();
        }
        long cost = (long) Lease.framesOf(bytes) * Lease.FRAME_BYTES;
        ShuffleKey own = new ShuffleKey(application, shuffleId);
        while (cost > limitBytes - usedBytes) {
            if (!evictBefore(own)) {
                refused++;
                return Optional.empty();
            }
        }
        LeaseOwner owner = new LeaseOwner("map output " + ++lent + " of " + application + "/" + executor);
        Optional<Lease> lease = pool.tryAcquire(owner, bytes);
        // Memory that lies in small pieces, or that fetches use: one more place is looked for, not all of them.
        if (lease.isEmpty() && evictBefore(own)) {
            lease = pool.tryAcquire(owner, bytes);
        }
        if (lease.isEmpty()) {
            refused++;
            return Optional.empty();
        }
        usedBytes += cost;
        return Optional.of(new Output(application, executor, shuffleId, lease.get()));
    }

    /** Takes back what was lent, and was not published. */
    public synchronized void giveBack(Output output) {
        end(output);
    }

    /**
     * Serves an output from now on, in place of an earlier one of the same map. If it cannot be served, its memory goes
     * back.
     *
     * @param layout where its partitions lie
     * @param lengths of all partitions
     * @return false if the output does not fit its memory, has more blocks than there is room for, or lies in memory
     *     that was given up
     */
    public synchronized boolean publish(Output output, long mapId, OutputLayout layout, List<Long> lengths) {
        ShuffleKey key = new ShuffleKey(output.application(), output.shuffleId());
        Map<MapKey, Output> ofShuffle = shuffles.get(key);
        MapKey map = new MapKey(output.executor(), mapId);
        if (ofShuffle != null && ofShuffle.containsKey(map)) {
            remove(ofShuffle.get(map));
        }
        while (lengths.size() > limitBlocks - blocks && evictBefore(key)) {
            // until there is room, or nothing older is left
        }
        if (lengths.size() > limitBlocks - blocks || isBeyondEnd(output) || !output.describe(mapId, layout, lengths)) {
            end(output);
            return false;
        }
        output.become(OutputState.PUBLISHED);
        output.publishedAt(pool.nanoTime());
        output.open();
        published.put(OutputKey.of(output), output);
        shuffles.computeIfAbsent(key, unused -> new LinkedHashMap<>()).put(map, output);
        outputs++;
        publications++;
        blocks += output.blocks();
        return true;
    }

    /** Returns where a block lies; empty if it is not here, or has no bytes. */
    public Optional<OutputBlock> find(String application, String executor, BlockRange block) {
        if (published.isEmpty()) {
            return Optional.empty();
        }
        Output output = published.get(new OutputKey(application, executor, block.shuffleId(), block.mapId()));
        if (output == null || !output.has(block.endReduce())) {
            return Optional.empty();
        }
        long bytes = output.bytesOf(block.startReduce(), block.endReduce());
        return bytes == 0
                ? Optional.empty()
                : Optional.of(new OutputBlock(this, output, block.startReduce(), block.endReduce(), 0, bytes));
    }

    /** Keeps an output where it is until {@link #letGo}; false if it is served no more, or is in quarantine. */
    boolean hold(Output output) {
        return output.lease().state() == LeaseState.HELD && output.hold();
    }

    void letGo(Output output) {
        if (output.letGo()) {
            endUnheld(output);
        }
    }

    private synchronized void endUnheld(Output output) {
        end(output);
    }

    /** The shuffle is over. */
    public synchronized void withdraw(String application, int shuffleId) {
        Map<MapKey, Output> ofShuffle = shuffles.get(new ShuffleKey(application, shuffleId));
        if (ofShuffle != null) {
            withdrawAll(ofShuffle);
        }
    }

    /** The application is over. What its executors still write comes back from their sessions. */
    public synchronized void forget(String application) {
        List<ShuffleKey> keys = shuffles.keySet().stream()
                .filter(key -> key.application().equals(application))
                .toList();
        keys.forEach(key -> withdraw(application, key.shuffleId()));
    }

    /** The agent ends: nothing is served any more. What tasks still write stays theirs. */
    public synchronized void close() {
        List.copyOf(shuffles.values()).forEach(this::withdrawAll);
    }

    private void withdrawAll(Map<MapKey, Output> ofShuffle) {
        for (Output output : List.copyOf(ofShuffle.values())) {
            remove(output);
            withdrawn++;
        }
    }

    /** A fetch waits for memory: outputs give up at least so much, if they have it. */
    public synchronized void makeRoom(long bytes) {
        long before = usedBytes;
        while (before - usedBytes < bytes && evictBefore(null)) {
            // the next one
        }
    }

    /**
     * Takes half of the memory from outputs for ever, or all that is left if that is little. Outputs that do not fit
     * into the other half make room now, or when nothing holds them.
     *
     * @return how many bytes; 0 if there is nothing to take
     */
    public synchronized long giveUpHalf() {
        long half = limitBytes / 2 / Slab.PAGE_BYTES * Slab.PAGE_BYTES;
        long given = half < LEAST_BYTES ? limitBytes : half;
        limitBytes -= given;
        givenUpBytes += given;
        while (usedBytes > limitBytes && evictBefore(null)) {
            // the next one
        }
        return given;
    }

    /** No output may lie in the slab's memory from so many bytes on. */
    public synchronized void endAt(long bytes) {
        endBytes = Math.min(endBytes, bytes);
        List<Output> beyond = shuffles.values().stream()
                .flatMap(ofShuffle -> ofShuffle.values().stream())
                .filter(this::isBeyondEnd)
                .toList();
        beyond.forEach(output -> {
            remove(output);
            evicted++;
        });
    }

    private boolean isBeyondEnd(Output output) {
        return output.slabOffset() + output.cost() > endBytes;
    }

    public synchronized OutputsStatus status() {
        return new OutputsStatus(
                limitBytes,
                givenUpBytes,
                usedBytes,
                outputs,
                blocks,
                oldestMillis(),
                publications,
                refused,
                evicted,
                withdrawn);
    }

    /** Each shuffle has its outputs in the order in which they were published. */
    private long oldestMillis() {
        long now = pool.nanoTime();
        return shuffles.values().stream()
                .map(ofShuffle -> ofShuffle.values().iterator().next())
                .mapToLong(output -> TimeUnit.NANOSECONDS.toMillis(now - output.publishedNanos()))
                .max()
                .orElse(0);
    }

    /** Evicts the oldest output of the oldest shuffle that is not held; false if there is none before this shuffle. */
    private boolean evictBefore(@Nullable ShuffleKey end) {
        for (Map.Entry<ShuffleKey, Map<MapKey, Output>> shuffle : shuffles.entrySet()) {
            if (shuffle.getKey().equals(end)) {
                return false;
            }
            for (Output output : shuffle.getValue().values()) {
                if (output.closeUnlessHeld()) {
                    remove(output, /* held= */ false);
                    evicted++;
                    return true;
                }
            }
        }
        return false;
    }

    /** Serves it no more. */
    private void remove(Output output) {
        remove(output, !output.close());
    }

    /** Serves an output no more that is closed to holds. */
    private void remove(Output output, boolean held) {
        published.remove(OutputKey.of(output), output);
        ShuffleKey key = new ShuffleKey(output.application(), output.shuffleId());
        Map<MapKey, Output> ofShuffle = shuffles.get(key);
        if (ofShuffle != null) {
            ofShuffle.remove(new MapKey(output.executor(), output.mapId()));
            if (ofShuffle.isEmpty()) {
                shuffles.remove(key);
            }
        }
        outputs--;
        blocks -= output.blocks();
        if (held) {
            output.become(OutputState.LEAVING);
        } else {
            end(output);
        }
    }

    private void end(Output output) {
        output.become(OutputState.GONE);
        usedBytes -= output.cost();
        output.ports().close();
        output.lease().release();
    }
}
