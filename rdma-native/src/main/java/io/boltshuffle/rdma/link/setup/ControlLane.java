package io.boltshuffle.rdma.link.setup;

import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.LinkDevice;
import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.move.LinkCommand;
import io.boltshuffle.rdma.link.move.LinkDownException;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Hello;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes a link's control calls to the device's control executor, one after the other, and their outcome back to the
 * poller.
 *
 * <p><b>Ownership:</b> of the queue pair. The executor runs tasks in order, so {@link #destroy} finds what an earlier
 * task has made, even if the link no longer waited for it.
 *
 * <p><b>Threads:</b> called on the poller; the field {@code end} belongs to the control executor.
 */
public final class ControlLane {

    /** The receiver of the results of control calls. Each method is called on the poller. */
    public interface Outcome {

        /** The queue pair is in INIT, and the test pattern has these checksums for each message size. */
        void prepared(LocalEnd made, List<int[]> patternChecksums) throws LinkDownException;

        /** The queue pair is in RTS. */
        void connected() throws LinkDownException;

        /** A call failed, so the link cannot come up. */
        void fail(LinkFailure why);

        /** The queue pair is gone. */
        void destroyed();

        /** The device may still have the queue pair. */
        void notDestroyed(String why);
    }

    private interface Call {
        LinkCommand run() throws VerbsException, LinkDownException;
    }

    private final LinkDevice device;
    private final Consumer<LinkCommand> poller;
    private final Outcome outcome;
    private final CompletableFuture<Void> queuePairGone = new CompletableFuture<>();
    private @Nullable LocalEnd end;

    public ControlLane(LinkDevice device, Consumer<LinkCommand> poller, Outcome outcome) {
        this.device = device;
        this.poller = poller;
        this.outcome = outcome;
    }

    /** Makes the queue pair, and meanwhile the test pattern. */
    void prepare(LinkOptions options, Scratch scratch, long seed, List<Integer> messageSizes) {
        submit(Reason.SETUP_REFUSED, () -> {
            LocalEnd made = LocalEnd.create(device, options);
            end = made;
            List<int[]> checksums = scratch.fill(seed, messageSizes);
            return () -> outcome.prepared(made, checksums);
        });
    }

    void connect(LocalEnd made, Hello peer, GidChoice.Agreed gids, int packetSequenceNumber) {
        submit(Reason.CONNECT_REFUSED, () -> {
            made.connect(peer, gids, packetSequenceNumber);
            return outcome::connected;
        });
    }

    public void destroy() {
        try {
            device.control().execute(() -> poller.accept(destroyNow()));
        } catch (RejectedExecutionException e) {
            poller.accept(() -> outcome.notDestroyed("the device's control executor is gone"));
        }
    }

    /** Runs something once the queue pair is destroyed, however late: on whichever thread learns of it, or at once. */
    public void whenQueuePairIsGone(Runnable action) {
        CompletableFuture<Void> unused = queuePairGone.thenRun(action);
    }

    private LinkCommand destroyNow() {
        try {
            if (end == null) {
                queuePairGone.complete(null);
            } else {
                end.endpoint().close(() -> queuePairGone.complete(null));
            }
            return outcome::destroyed;
        } catch (VerbsException | RuntimeException | Error e) {
            return () -> outcome.notDestroyed("destroying the queue pair failed: " + e.getMessage());
        }
    }

    private void submit(Reason onRefusal, Call call) {
        try {
            device.control().execute(() -> poller.accept(outcomeOf(onRefusal, call)));
        } catch (RejectedExecutionException e) {
            poller.accept(() -> outcome.fail(LinkFailure.of(onRefusal, "the device's control executor is gone", e)));
        }
    }

    private LinkCommand outcomeOf(Reason onRefusal, Call call) {
        LinkFailure failure;
        try {
            return call.run();
        } catch (DeviceStuckException e) {
            failure = LinkFailure.of(Reason.CONTROL_STUCK, text(e), e);
        } catch (VerbsException e) {
            failure = refusal(onRefusal, e);
        } catch (LinkDownException e) {
            failure = e.failure();
        } catch (RuntimeException | Error e) {
            failure = LinkFailure.of(Reason.INTERNAL, "a control call failed: " + e, e);
        }
        LinkFailure seen = failure;
        return () -> outcome.fail(seen);
    }

    private static LinkFailure refusal(Reason reason, VerbsException e) {
        if (reason == Reason.CONNECT_REFUSED && e.isRestartNeeded()) {
            return new LinkFailure(reason, text(e), LinkFailure.Retry.AFTER_OPERATOR, e);
        }
        return LinkFailure.of(reason, text(e), e);
    }

    private static String text(VerbsException e) {
        return Objects.requireNonNullElse(e.getMessage(), e.call());
    }
}
