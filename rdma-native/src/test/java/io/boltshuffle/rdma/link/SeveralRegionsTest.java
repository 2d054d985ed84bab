package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.boltshuffle.rdma.memory.Lease;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Devices that register no more than 12 MiB at once, as some Macs are said to: leases lie in several memory regions.
 */
@Timeout(300)
class SeveralRegionsTest {
    private static final String SMALL_REGIONS = "option max_mr_bytes 12582912";
    private static final long REGION = 8L << 20;
    private static final long LEASE = 20L << 20;
    private static final long SLAB = 128L << 20;

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void eachPartOfALeaseArrivesByTheKeysOfItsRegion(LinkMode mode, @TempDir Path directory) throws Exception {
        VirtualCable cable = new VirtualCable(directory, mode, SMALL_REGIONS);
        LinkOptions options = LinkOptions.defaults(mode)
                .withCandidates(List.of(new Candidate(64 << 10, 1 << 20)), Duration.ofMillis(20));
        try (LinkHost left = cable.open(0, mode, SLAB);
                LinkHost right = cable.open(1, mode, SLAB)) {
            LinkPair links = new LinkPair(left, right, options, null).awaitUp();
            Lease source = left.leaseFilled(LEASE, 7);
            Lease destination = right.lease(LEASE);
            for (long from = 0; from < LEASE; from += REGION) {
                long bytes = Math.min(REGION, LEASE - from);
                Offer offer = links.link(0).offer(new RangePart(left.range(source), from, bytes), null, () -> {});
                await(links, offer, new RangePart(right.range(destination), from, bytes));
                links.link(0).withdraw(offer);
            }
            assertThat(destination.view(0, (int) LEASE)).isEqualTo(source.view(0, (int) LEASE));
            source.release();
            destination.release();
            links.close();
        }
    }

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void aPartOfTwoRegionsIsRefused(LinkMode mode, @TempDir Path directory) throws Exception {
        VirtualCable cable = new VirtualCable(directory, mode, SMALL_REGIONS);
        try (LinkHost host = cable.open(0, mode, SLAB)) {
            Lease lease = host.lease(LEASE);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new RangePart(host.range(lease), REGION - 4096, 8192))
                    .withMessageContaining("crosses from one memory region into another");
            lease.release();
        }
    }

    private static void await(LinkPair links, Offer offer, RangePart into) throws Exception {
        CompletableFuture<Void> end = new CompletableFuture<>();
        long deadline = System.nanoTime() + LinkPair.PATIENCE.toNanos();
        links.link(1).fetch(offer.all(), into, deadline, new TransferListener() {
            @Override
            public void onVerified() {
                end.complete(null);
            }

            @Override
            public void onFailed(TransferFailure failure) {
                end.completeExceptionally(new AssertionError(failure.message()));
            }
        });
        LinkPair.within(end);
    }
}
