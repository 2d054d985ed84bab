package io.boltshuffle.agent.cable;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.cable.CableCounters.ActivePorts;
import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CableCountersTest {
    private static final CablePair CABLE = new CablePair(new PortName("rdma_en5", 1), new PortName("rdma_en2", 1));

    private Instant now = LocalDateTime.of(2026, 11, 27, 20, 16, 2)
            .atZone(ZoneId.systemDefault())
            .toInstant();
    private final CableCounters cables = new CableCounters(() -> now);

    @Test
    void aPulledCableSaysWhichPortsAreDownAndSinceWhen() {
        cables.up(CABLE);
        cables.failed(CABLE, Reason.PORT_NOT_ACTIVE);
        now = now.plus(Duration.ofMinutes(3));
        cables.failed(CABLE, Reason.PEER_FAILED);

        assertThat(cables.pulled(ports("mac1"), ports("mac2")))
                .isEqualTo("down since 20:16:02: port rdma_en5:1 of mac1 and port rdma_en2:1 of mac2");
        assertThat(cables.pulled(ports("mac1", "rdma_en5"), ports("mac2")))
                .isEqualTo("down since 20:16:02: port rdma_en2:1 of mac2");
    }

    @Test
    void aCableThatNeverWorkedOrWhosePortsAreThereIsNotPulled() {
        cables.failed(CABLE, Reason.PORT_NOT_ACTIVE);
        assertThat(cables.pulled(ports("mac1"), ports("mac2"))).isEmpty();

        cables.up(CABLE);
        cables.failed(CABLE, Reason.STALLED);
        assertThat(cables.pulled(ports("mac1", "rdma_en5"), ports("mac2", "rdma_en2")))
                .isEmpty();
    }

    @Test
    void ofACableThatWasPulledWhileNoLinkUsedItNobodyKnowsSinceWhen() {
        cables.up(CABLE);

        assertThat(cables.pulled(ports("mac1"), ports("mac2", "rdma_en2"))).isEqualTo("down: port rdma_en5:1 of mac1");
    }

    private static ActivePorts ports(String host, String... devices) {
        return new ActivePorts(
                host,
                Stream.of(devices)
                        .map(device ->
                                new PortFacts(new PortName(device, 1), "THUNDERBOLT", "", "", List.of(), List.of()))
                        .toList());
    }
}
