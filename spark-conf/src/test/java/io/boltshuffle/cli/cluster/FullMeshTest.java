package io.boltshuffle.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.topology.MlxHostfile;
import io.boltshuffle.topology.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

class FullMeshTest {
    private final FullMesh mesh = new FullMesh(List.of("127.0.0.2", "127.0.0.3", "127.0.0.4"), 1);

    @Test
    void anyTwoHostsHaveOneCableAndNoPortHasTwo() {
        assertThat(mesh.statements(0))
                .containsExactly(
                        "host host0",
                        "host host1",
                        "host host2",
                        "cable c0-1 host0:en5 host1:en5",
                        "cable c0-2 host0:en6 host2:en5",
                        "cable c1-2 host1:en6 host2:en6");
    }

    @Test
    void everyCableIsHeldToTheRateThatIsAskedFor() {
        assertThat(mesh.statements(457_000_000))
                .contains(
                        "cable c0-1 host0:en5 host1:en5 bytes_per_second 457000000",
                        "cable c1-2 host1:en6 host2:en6 bytes_per_second 457000000");
    }

    @Test
    void theHostfileSaysTheSameAndIsAccepted() {
        Topology topology = MlxHostfile.parse(mesh.hostfile(), "mesh").topology();

        assertThat(topology.cables()).hasSize(3);
        assertThat(topology.hosts()).hasSize(3);
    }

    @Test
    void severalCablesOfAPairHavePortsOfTheirOwnAtBothEnds() {
        FullMesh twice = new FullMesh(List.of("127.0.0.2", "127.0.0.3", "127.0.0.4"), 2);

        assertThat(twice.cables()).containsExactly("c0-1", "c0-1-1", "c0-2", "c0-2-1", "c1-2", "c1-2-1");
        assertThat(twice.statements(0))
                .contains("cable c0-1-1 host0:en6 host1:en6", "cable c1-2-1 host1:en8 host2:en8");
        Topology topology = MlxHostfile.parse(twice.hostfile(), "mesh").topology();
        assertThat(topology.cables()).hasSize(6);
    }
}
