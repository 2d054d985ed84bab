package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.memory.Lease;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Shows what it costs a serving process that its memory is read. The kernel does the work of the adapter, on threads of
 * its own.
 */
@Tag("soft-roce")
@Timeout(900)
class SoftRoceServerLoadTest {

    private static final long BYTES = 8L << 20;
    private static final int PULLS = 8;

    /** A tick of the kernel's accounting; what an idle JVM does on its own account is within a few. */
    private static final Duration NEXT_TO_NOTHING = Duration.ofMillis(200);

    @Test
    void readsCostTheServingProcessNothingPerByte() throws Exception {
        try (LinkHost host = SoftRoce.open(1, LinkMode.READ, 32L << 20);
                ServingProcess server = ServingProcess.start(LinkMode.READ, BYTES)) {
            RemoteLink link = new RemoteLink(host, server, LinkMode.READ);
            Offer offer = link.awaitOffer();
            Lease destination = host.lease(BYTES);
            link.pull(offer, destination).await();
            Duration before = server.processorTime();
            long begin = System.nanoTime();
            for (int pull = 0; pull < PULLS; pull++) {
                link.pull(offer, destination).await();
            }
            Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
            Duration used = server.processorTime().minus(before);
            ServingProcess.assertHoldsContent(destination, BYTES);
            destination.release();
            link.close();
            System.out.printf("read %d MiB in %s; the serving process used %s%n", (PULLS * BYTES) >> 20, elapsed, used);

            assertThat(used).isLessThan(NEXT_TO_NOTHING.plus(elapsed.dividedBy(20)));
        }
    }
}
