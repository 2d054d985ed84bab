package io.boltshuffle.rdma.link.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.Offer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The call that destroys a queue pair hangs, so memory goes into quarantine; then the call returns after all. */
class LateDestroyTest {

    private static final int SERVER = 0;
    private static final int READER = 1;
    private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();

    private final SimWorld world = new SimWorld(1);

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void aDestroyThatSucceedsLateBringsAllMemoryBack(LinkMode mode) {
        SimPair pair = startUp(mode);
        Offer offer = pair.offer(SERVER, 40 * pair.end(SERVER).link().offerMessageBytes(), /* precomputed= */ true);
        long deadline = world.now() + PATIENCE_NANOS;
        pair.fetch(READER, offer, 0, offer.bytes(), pair.lastOffered(), deadline, () -> {});
        pair.step();
        pair.end(SERVER).control().getStuckAfter(0);
        pair.end(READER).control().getStuckAfter(0);
        pair.end(READER).link().onPortLost("the cable was pulled");
        pair.settle();
        for (int side = 0; side < 2; side++) {
            assertThat(pair.end(side).link().state()).isEqualTo(LinkState.FAILED);
            assertThat(quarantined(pair, side)).as("side %d", side).hasSizeGreaterThanOrEqualTo(2);
        }

        pair.end(SERVER).control().returnLate();
        pair.end(READER).control().returnLate();
        letTimePass();

        pair.assertSettled();
        for (int side = 0; side < 2; side++) {
            assertThat(quarantined(pair, side)).as("side %d", side).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void memoryStaysInQuarantineWhenTheLateDestroyFails(LinkMode mode) {
        SimPair pair = startUp(mode, SimFaults.of(SimFaults.Kind.NOT_DESTROYED, 0, READER));
        pair.end(READER).control().getStuckAfter(0);
        pair.end(READER).link().onPortLost("the cable was pulled");
        pair.settle();

        pair.end(READER).control().returnLate();
        letTimePass();

        pair.assertSettled();
        assertThat(quarantined(pair, READER)).hasSize(1);
    }

    private SimPair startUp(LinkMode mode) {
        return startUp(mode, SimFaults.none());
    }

    private SimPair startUp(LinkMode mode, SimFaults faults) {
        SimPair pair = new SimPair(world, faults, SimPair.options(mode));
        pair.runFor(Duration.ofSeconds(5).toNanos());
        return pair;
    }

    private static List<SimMemory.SimRange> quarantined(SimPair pair, int side) {
        return pair.end(side).memory().ranges().stream()
                .filter(range -> range.quarantined() != null)
                .toList();
    }

    private void letTimePass() {
        for (Long next = world.nextNanos(); next != null; next = world.nextNanos()) {
            world.advanceTo(next);
        }
    }
}
