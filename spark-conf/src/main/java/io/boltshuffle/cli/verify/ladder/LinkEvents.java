package io.boltshuffle.cli.verify.ladder;

import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.LinkState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for what a link tells its owner. */
final class LinkEvents implements LinkListener {

    private final CompletableFuture<LinkReport> up = new CompletableFuture<>();
    private final CompletableFuture<LinkState> ended = new CompletableFuture<>();

    @Override
    public void onUp(LinkReport report) {
        up.complete(report);
    }

    @Override
    public void onDown(@Nullable LinkFailure failure) {
        String what = failure == null ? "the link was closed" : failure.message();
        up.completeExceptionally(FallException.ofStream(what, failure));
    }

    @Override
    public void onEnded(LinkState end) {
        ended.complete(end);
    }

    LinkReport awaitUp(Duration patience) throws FallException {
        try {
            return up.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FallException fall) {
                throw fall;
            }
            throw new IllegalStateException(e);
        } catch (TimeoutException e) {
            throw new FallException("the link did not come up in time", "look at the other host");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FallException("interrupted", "");
        }
    }

    void awaitEnd(Duration patience) throws FallException {
        try {
            ended.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new FallException("the link did not end in time", "restart the host if verbs hang");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FallException("interrupted", "");
        }
    }
}
