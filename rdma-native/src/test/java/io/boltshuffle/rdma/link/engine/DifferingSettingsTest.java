package io.boltshuffle.rdma.link.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkFailure.Retry;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two ends whose owners were told to move bytes in different ways. */
class DifferingSettingsTest {

    private static final LinkOptions READ = SimPair.options(LinkMode.READ);

    @Test
    void aLinkOfWhichOneEndWantsChecksumsDoesNotComeUp() {
        SimPair pair = startAndSettle(READ, READ.withoutSums());

        assertThat(pair.end(0).told()).containsExactly("down", "ended");
        assertThat(pair.end(1).told()).containsExactly("down", "ended");
        for (int side = 0; side < 2; side++) {
            LinkFailure seen = pair.end(side).failure();
            assertThat(seen).isNotNull();
            assertThat(seen.reason()).isIn(Reason.PEER_INCOMPATIBLE, Reason.PEER_FAILED);
            assertThat(seen.message()).contains("spark.boltshuffle.agent.checksum", "always", "auto");
        }
        assertThat(List.of(pair.end(0).failure(), pair.end(1).failure()))
                .as("nothing is tried again before a person acts")
                .anyMatch(seen -> seen.retry() == Retry.AFTER_OPERATOR);
    }

    private static SimPair startAndSettle(LinkOptions one, LinkOptions other) {
        SimPair pair = new SimPair(new SimWorld(1), SimFaults.none(), List.of(one, other), SimPair.MEMORY_BYTES);
        pair.runFor(1_000_000_000);
        pair.end(0).link().close(pair.world().now());
        pair.settle();
        pair.assertSettled();
        return pair;
    }
}
