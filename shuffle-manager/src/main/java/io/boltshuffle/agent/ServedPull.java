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
        LOOKING_UP,
        WAITING_FOR_MEMORY,
        READING,
        OFFERED,
        ENDED
    }

    /** What one link offers of the staged bytes. */
    private record Offered(ActiveLink link, Offer offer) {}

    private final PullServer server;
    private final AgentServices services;
    private final long id;
    private final PullRequest request;
    private final long deadlineNanos;
    private final Loop.Timer deadline;
    private final List<Offered> offers = new ArrayList<>();
    private State state = State.LOOKING_UP;
    private StagingBudget.@Nullable Waiter share;
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
        services.readers().execute(() -> {
            StagePlan plan = StagePlan.of(request, services.source(), server.windowBytes(request));
            services.loop().execute(() -> onPlanned(plan));
        });
    }

    private void onPlanned(StagePlan plan) {
        if (state != State.LOOKING_UP) {
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
        LeaseOwner owner = new LeaseOwner("staging for " + server.peer());
        services.loop()
                .whenDone(
                        services.pool().acquireAsync(owner, plan.bytes(), deadlineNanos),
                        (granted, failure) -> onMemory(plan, granted, failure));
    }

    private void onMemory(StagePlan plan, @Nullable Lease granted, @Nullable Throwable failure) {
        if (granted == null) {
            server.fail(this, FailureReason.NO_MEMORY, String.valueOf(failure));
            return;
        }
        if (state != State.WAITING_FOR_MEMORY) {
            Leases.giveBack(granted);
            return;
        }
        List<StripePlan.Part> stripes = server.stripes(plan.bytes());
        lease = granted;
        if (stripes.isEmpty()) {
            server.fail(this, FailureReason.LINK_FAILED, "no link is up");
            return;
        }
        state = State.READING;
        services.readers().execute(() -> read(plan, granted, stripes));
    }

    /** On a reader. */
    private void read(StagePlan plan, Lease into, List<StripePlan.Part> stripes) {
        boolean summed = stripes.stream().anyMatch(part -> part.link().link().isSummed());
        StagingSums sums = summed ? new StagingSums(stripes) : null;
        StagedBlocks staged = StagedBlocks.read(plan, services.files(), into, sums);
        List<Offered> made = new ArrayList<>();
        String trouble = null;
        try {
            for (int i = 0; i < stripes.size(); i++) {
                StripePlan.Part part = stripes.get(i);
                long bytes = Math.min(part.bytes(), staged.bytes() - part.offset());
                if (bytes > 0) {
                    RangePart source = new RangePart(part.link().rangeOf(into), part.offset(), bytes);
                    int[] known = sums == null ? null : sums.of(i);
                    Offer offer = part.link().link().offer(source, known, () -> {});
                    made.add(new Offered(part.link(), offer));
                }
            }
        } catch (IllegalStateException e) {
            trouble = "the link went down: " + e.getMessage();
        }
        String failure = trouble;
        services.loop().execute(() -> onRead(staged, made, failure));
    }

    private void onRead(StagedBlocks staged, List<Offered> made, @Nullable String failure) {
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
        boolean reading = state == State.READING;
        state = State.ENDED;
        if (!reading) {
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
