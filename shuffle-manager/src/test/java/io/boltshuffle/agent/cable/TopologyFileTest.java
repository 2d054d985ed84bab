package io.boltshuffle.agent.cable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.conf.Settings;
import io.boltshuffle.topology.Cable;
import io.boltshuffle.topology.DeviceName;
import io.boltshuffle.topology.Port;
import io.boltshuffle.topology.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyFileTest {

    private static final Cable CABLE =
            new Cable(new Port("mac1", new DeviceName("rdma_en5")), new Port("mac2", new DeviceName("rdma_en3")));

    private final Path file;

    TopologyFileTest(@TempDir Path directory) {
        file = directory.resolve("topology.json");
    }

    @Test
    void aHostfileNamesItsHosts() throws Exception {
        Files.writeString(file, """
                [{"ssh": "mac1", "rdma": [null, "rdma_en5"]}, {"ssh": "mac2", "rdma": ["rdma_en3", null]}]""");
        assertThat(read("").cables()).containsExactly(CABLE);
    }

    @Test
    void aDeviceFileGetsItsHostsFromTheSettings() throws Exception {
        Files.writeString(file, "[[null, \"rdma_en5\"],\n [\"rdma_en3\", null]]");
        assertThat(read("mac1, mac2").cables()).containsExactly(CABLE);
        assertThatThrownBy(() -> read(""))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("spark.boltshuffle.agent.topologyHosts");
        assertThatThrownBy(() -> read("mac1")).isInstanceOf(IOException.class).hasMessageContaining("1 hosts");
    }

    @Test
    void hostsAreFoundHoweverTheirIpv6AddressesAreSpelt() throws Exception {
        Files.writeString(file, """
                [{"ssh": "[fd00::1]", "rdma": [null, "rdma_en5"]},
                 {"ssh": "mac2", "ips": ["FD00::2", "10.0.0.2"], "rdma": ["rdma_en3", null]}]""");
        Topology topology = read("");
        assertThat(Neighbours.of("fd00:0:0:0:0:0:0:1", Optional.of(topology))).containsExactly("mac2");
        assertThat(Neighbours.of("fd00:0:0:0:0:0:0:2", Optional.of(topology))).containsExactly("fd00:0:0:0:0:0:0:1");
    }

    @Test
    void aCardOfAnotherProviderIsRefusedUnlessTheUserWantsSuch() throws Exception {
        Files.writeString(file, """
                [{"ssh": "mac1", "rdma": [null, ["rdma_en5", "rdma_mcrdma0"]]},
                 {"ssh": "mac2", "rdma": [["rdma_en3", "rdma_mcrdma1"], null]}]""");
        Cable card = new Cable(
                new Port("mac1", new DeviceName("rdma_mcrdma0")), new Port("mac2", new DeviceName("rdma_mcrdma1")));

        assertThatThrownBy(() -> read(""))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("names rdma_mcrdma0, a device of another provider than Apple's")
                .hasMessageContaining("spark.boltshuffle.agent.otherProviders=true");
        assertThat(read("", "true").cables()).containsExactly(CABLE, card);
    }

    private Topology read(String hosts) throws IOException {
        return read(hosts, "false");
    }

    private Topology read(String hosts, String otherProviders) throws IOException {
        return TopologyFile.read(Settings.parse(Map.of(
                        "spark.boltshuffle.agent.topologyFile",
                        file.toString(),
                        "spark.boltshuffle.agent.topologyHosts",
                        hosts,
                        "spark.boltshuffle.agent.otherProviders",
                        otherProviders)))
                .orElseThrow();
    }
}
