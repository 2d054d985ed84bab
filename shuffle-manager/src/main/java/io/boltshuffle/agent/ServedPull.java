package io.boltshuffle.agent;

import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.Stripe;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One pull on the serving side: blocks are looked up, memory is leased, files are read into it, links offer it.
 *
 * <p><b>Invariant:</b> the lease is given back exactly once, when the pull ended and no reader thread works on it; links keep
 * their own hold until the device cannot read it any more.
 *
 * <p><b>Threads:</b> confined to the agent's loop, except what is said to run on a reader.
 */
final class ServedPull {

    /** The peer's clock may be late, and its FREE may be on the way. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private enum State {
        /** A reader looks blocks up, reads them, or both. */
        AT_READER,
        WAITING_FOR_MEMORY,
        OFFERED,
        ENDED
    }

    /** What one link offers of the staged bytes. */
    private record Offered(ActiveLink link, Offer offer) {}

    /** Memory, and the share of what may be staged that it is counted against. */
    private record Memory(StagingBudget.Share share, Lease lease) {}

    private final PullServer server;
    private final AgentServices services;
    private final long id;
    private final PullRequest request;
    private final long deadlineNanos;
    private final Loop.Timer deadline;
    private final List<Offered> offers = new ArrayList<>();
    private State state = State.AT_READER;
    private StagingBudget.@Nullable Share share;
    private @Nullable Lease lease;

    ServedPull(PullServer server, long id, PullRequest request) {
        this.server = server;
        this.services = server.services();
        this.id = id;
        this.request = request;
        long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(request.timeoutMillis());
        this.deadlineNanos = services.loop().nanoTime() + timeoutNanos;
        this.deadline = services.loop().after(timeoutNanos + GRACE_NANOS, this::onDeadline);
    }

    long id() {
        return id;
    }

    void start() {
        StripePlan stripes = server.nextStripes().orElse(null);
        services.readers().execute(() -> lookUp(stripes));
    }

    /**
     * On a reader, which goes straight on to reading where memory and links are there: a change of threads is slow on a busy
     * host.
     */
    private void lookUp(@Nullable StripePlan stripes) {
        StagePlan plan = StagePlan.of(request, services.source(), server.windowBytes(request));
        Memory memory = stripes == null || plan.bytes() == 0 ? null : memoryNow(plan.bytes());
        if (stripes == null || memory == null) {
            services.loop().execute(() -> onPlanned(plan));
        } else {
            stage(plan, memory, stripes);
        }
    }

    private @Nullable Memory memoryNow(long bytes) {
        StagingBudget.Share counted = services.staging().tryTake(bytes).orElse(null);
        if (counted == null) {
            return null;
        }
        Lease free = services.pool().tryAcquire(owner(), bytes).orElse(null);
        if (free == null) {
            services.loop().execute(counted::end);
            return null;
        }
        return new Memory(counted, free);
    }

    private LeaseOwner owner() {
        return new LeaseOwner("staging for " + server.peer());
    }

    /** There was nothing to read, or not all that it takes. */
    private void onPlanned(StagePlan plan) {
        if (state == State.ENDED) {
            return;
        }
        if (plan.bytes() == 0) {
            server.answer(new ControlMessage.Ready(id, List.of(), plan.failures(), plan.detail(), List.of()));
            state = State.OFFERED;
            return;
        }
        state = State.WAITING_FOR_MEMORY;
        share = services.staging().request(plan.bytes(), () -> acquire(plan));
    }

    private void acquire(StagePlan plan) {
        services.loop()
                .whenDone(
                        services.pool().acquireAsync(owner(), plan.bytes(), deadlineNanos),
                        (granted, failure) -> onMemory(plan, granted, failure));
    }

    private void onMemory(StagePlan plan, @Nullable Lease granted, @Nullable Throwable failure) {
        StagingBudget.Share counted = share;
        if (granted == null) {
            server.fail(this, FailureReason.NO_MEMORY, String.valueOf(failure));
            return;
        }
        if (state != State.WAITING_FOR_MEMORY || counted == null) {
            Leases.giveBack(granted);
            return;
        }
        lease = granted;
        StripePlan stripes = server.nextStripes().orElse(null);
        if (stripes == null) {
            server.fail(this, FailureReason.LINK_FAILED, "no link is up");
            return;
        }
        state = State.AT_READER;
        services.readers().execute(() -> stage(plan, new Memory(counted, granted), stripes));
    }

    /** On a reader. */
    private void stage(StagePlan plan, Memory into, StripePlan stripes) {
        List<StripePlan.Part> parts = stripes.cut(plan.bytes());
        boolean summed = parts.stream().anyMatch(part -> part.link().link().isSummed());
        StagingSums sums = summed ? new StagingSums(parts) : null;
        StagedBlocks staged = StagedBlocks.read(plan, services.files(), into.lease(), sums);
        List<Offered> made = new ArrayList<>();
        String trouble = null;
        try {
            for (int i = 0; i < parts.size(); i++) {
                StripePlan.Part part = parts.get(i);
                long bytes = Math.min(part.bytes(), staged.bytes() - part.offset());
                if (bytes > 0) {
                    RangePart source = new RangePart(part.link().rangeOf(into.lease()), part.offset(), bytes);
                    int[] known = sums == null ? null : sums.of(i);
                    Offer offer = part.link().link().offer(source, known, () -> {});
                    made.add(new Offered(part.link(), offer));
                }
            }
        } catch (IllegalStateException e) {
            trouble = "the link went down: " + e.getMessage();
        }
        String failure = trouble;
        services.loop().execute(() -> onStaged(into, staged, made, failure));
    }

    private void onStaged(Memory memory, StagedBlocks staged, List<Offered> made, @Nullable String failure) {
        share = memory.share();
        lease = memory.lease();
        offers.addAll(made);
        if (state == State.ENDED) {
            giveBack();
            return;
        }
        state = State.OFFERED;
        if (failure != null) {
            server.fail(this, FailureReason.LINK_FAILED, failure);
            return;
        }
        server.answer(new ControlMessage.Ready(
                id,
                staged.slices(),
                staged.failures(),
                staged.detail(),
                offers.stream().map(ServedPull::stripe).toList()));
    }

    private static Stripe stripe(Offered offered) {
        Offer offer = offered.offer();
        ByteBuffer encoded = ByteBuffer.allocate(offer.encodedBytes());
        offer.encode(encoded);
        return new Stripe(offered.link().id(), offer.bytes(), Opaque.of(encoded.array()));
    }

    private void onDeadline() {
        if (state == State.OFFERED) {
            server.expire(this);
        } else {
            server.fail(this, FailureReason.DEADLINE, "not staged in " + request.timeoutMillis() + " ms");
        }
    }

    /** The pull is over, whatever its state. Called once, by the server. */
    void end() {
        deadline.cancel();
        boolean atReader = state == State.AT_READER;
        state = State.ENDED;
        if (!atReader) {
            giveBack();
        }
    }

    private void giveBack() {
        offers.forEach(offered -> offered.link().link().withdraw(offered.offer()));
        offers.clear();
        if (lease != null) {
            Leases.giveBack(lease);
            lease = null;
        }
        if (share != null) {
            share.end();
            share = null;
        }
    }
}
