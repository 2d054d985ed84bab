package io.boltshuffle.agent.cable;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.topology.MlxHostfile;
import io.boltshuffle.topology.Topology;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NeighboursTest {

    /** Mac 1 between the other two, which have no cable. */
    private static final Topology LINE = MlxHostfile.parse("""
                    [{"ssh": "mac1", "ips": ["10.0.0.1"], "rdma": [null, "rdma_en2", "rdma_en3"]},
                     {"ssh": "mac2", "ips": ["10.0.0.2"], "rdma": ["rdma_en2", null, null]},
                     {"ssh": "mac3", "ips": ["10.0.0.3"], "rdma": ["rdma_en2", null, null]}]
                    """, "line").topology();

    @Test
    void areThoseWithACable() {
        assertThat(Neighbours.of("mac1", Optional.of(LINE))).containsExactly("mac2", "mac3");
        assertThat(Neighbours.of("mac3", Optional.of(LINE))).containsExactly("mac1");
    }

    @Test
    void goByTheKindOfNameThatTheHostGoesBy() {
        assertThat(Neighbours.of("10.0.0.2", Optional.of(LINE))).containsExactly("10.0.0.1");
    }

    @Test
    void areUnknownWithoutAFileAndToAStranger() {
        assertThat(Neighbours.of("mac1", Optional.empty())).isEmpty();
        assertThat(Neighbours.of("mac9", Optional.of(LINE))).isEmpty();
    }
}
