package io.boltshuffle.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MlxFilesTest {

    private static final String TWO_CABLES = """
            [[null, ["rdma_en5", "rdma_en6"]],
             [["rdma_en3", "rdma_en4"], null]]""";

    private static final String HOSTFILE = """
            {
              "backend": "jaccl",
              "envs": ["MLX_METAL_FAST_SYNCH=1"],
              "hosts": [
                {"ssh": "mac1", "ips": ["10.0.0.1"], "rdma": [null, "rdma_en5", ["rdma_en3", "rdma_en4"]]},
                {"ssh": "mac2", "ips": [], "rdma": ["rdma_en5", null, null]},
                {"ssh": "mac3", "ips": ["10.0.0.3"], "rdma": [["rdma_en4", "rdma_en3"], null, null]}
              ]
            }
            """;

    @Test
    void theKthDevicesOfFacingCellsAreOneCable() {
        Topology topology =
                MlxDeviceFile.parse(TWO_CABLES, "devices.json").toTopology(List.of(new Host("mac1"), new Host("mac2")));

        assertThat(topology.cables())
                .containsExactly(
                        TopologyTest.cable("mac1", "rdma_en5", "mac2", "rdma_en3"),
                        TopologyTest.cable("mac1", "rdma_en6", "mac2", "rdma_en4"));
    }

    @Test
    void aDeviceFileIsWrittenAsItIsRead() {
        DeviceMatrix matrix = MlxDeviceFile.parse(TWO_CABLES, "devices.json");

        assertThat(MlxDeviceFile.format(matrix)).isEqualTo("""
                [
                  [null, ["rdma_en5", "rdma_en6"]],
                  [["rdma_en3", "rdma_en4"], null]
                ]
                """);
        assertThat(MlxDeviceFile.parse(MlxDeviceFile.format(matrix), "again")).isEqualTo(matrix);
    }

    @Test
    void aHostfileIsWrittenAsItIsRead() {
        MlxHostfile hostfile = MlxHostfile.parse(HOSTFILE, "hosts.json");

        assertThat(hostfile.format()).isEqualTo(HOSTFILE);
        assertThat(hostfile.topology().cables("mac3", "mac1"))
                .containsExactly(
                        TopologyTest.cable("mac3", "rdma_en4", "mac1", "rdma_en3"),
                        TopologyTest.cable("mac3", "rdma_en3", "mac1", "rdma_en4"));
        assertThat(hostfile.topology().pairsWithoutCable()).containsExactly(new Topology.Pair("mac2", "mac3"));
    }

    @Test
    void aBareListOfHostsIsAHostfileToo() {
        MlxHostfile hostfile = MlxHostfile.parse("""
                [{"ssh": "mac1", "rdma": [null, "rdma_en4"]}, {"ssh": "mac2", "rdma": ["rdma_en4", null]}]""", "hosts");

        assertThat(hostfile.topology().cables()).hasSize(1);
        assertThat(hostfile.backend()).isEqualTo("jaccl");
    }

    @Test
    void aHostfileWithoutRdmaHasNoCables() {
        MlxHostfile hostfile = MlxHostfile.parse("""
                {"backend": "ring", "hosts": [{"ssh": "mac1", "ips": ["10.0.0.1"]}, {"ssh": "mac2"}]}""", "hosts");

        assertThat(hostfile.topology().cables()).isEmpty();
        assertThat(hostfile.topology().hosts()).extracting(Host::name).containsExactly("mac1", "mac2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [[null, "rdma_en5"], [null, null]]                          | f: [0][1]: 1 device(s) here but 0 in [1][0]
            [["rdma_en5", null], [null, null]]                          | f: [0][0]: a device facing its own host
            [[null, "en5"], ["rdma_en5", null]]                         | f: [0][1]: unknown device name "en5"
            [[null, "mlx5_0"], ["rdma_en5", null]]                      | f: [0][1]: unknown device name "mlx5_0"
            [[null, 5], ["rdma_en5", null]]                             | f: [0][1]: the value "5"
            [[null, "rdma_en5"], ["rdma_en5"]]                          | f: [1]: 1 cells; expected 2 cells
            [[null, ["rdma_en5", null]], ["rdma_en5", null]]            | f: [0][1][1]: null; expected a string
            [[null, ["rdma_en5", "rdma_en5"]], [["rdma_en5", "rdma_en4"], null]] | f: [0][1]: rdma_en5 is already used
            {"hosts": []}                                               | f: an object; expected a list of rows
            [[null],                                                    | f:1:
            [] []                                                       | f:1:
            {"a": 1, "a": 2}                                            | f:1:
            [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]                       | f: Document nesting depth (17)
            """)
    void aBadDeviceFileIsRefusedWithItsPlace(String text, String message) {
        assertThatThrownBy(() -> MlxDeviceFile.parse(text, "f"))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageStartingWith(message)
                .hasMessageContaining("expected ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "mac1"                                          | f: the string "mac1"
            {"backend": 3, "hosts": []}                     | f: backend: the value "3"
            {"envs": "A=1", "hosts": []}                    | f: envs: the string "A=1"
            {"backend": "jaccl"}                            | f: hosts: nothing; expected a list of hosts
            {"hosts": ["mac1"]}                             | f: hosts[0]: the string "mac1"
            {"hosts": [{"ips": []}]}                        | f: hosts[0].ssh: nothing
            {"hosts": [{"ssh": "mac 1"}]}                   | f: host name: "mac 1"
            {"hosts": [{"ssh": "m"}, {"ssh": "m"}]}         | f: hosts: host m twice
            {"hosts": [{"ssh": "m", "rdma": ["rdma_en5"]}]} | f: [0][0]: a device facing its own host
            [{"ssh": "m", "rdma": {}}]                      | f: [0].rdma: an object; expected a list
            """)
    void aBadHostfileIsRefusedWithItsPlace(String text, String message) {
        assertThatThrownBy(() -> MlxHostfile.parse(text, "f"))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void moreHostsThanTheLimitAreRefusedBeforeAnythingIsBuilt() {
        String hosts = "{\"ssh\":\"m\"},".repeat(TopologyLimits.MAX_HOSTS) + "{\"ssh\":\"m\"}";

        assertThatThrownBy(() -> MlxHostfile.parse("[" + hosts + "]", "f"))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("65 hosts; expected at most 64");
    }

    @Test
    void anOversizedFileIsRefused() {
        assertThatThrownBy(() -> MlxDeviceFile.parse(" ".repeat(TopologyLimits.MAX_FILE_CHARS + 1), "f"))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("expected at most 1048576");
    }

    @Test
    void ranksNeedTheirHosts() {
        DeviceMatrix matrix = MlxDeviceFile.parse(TWO_CABLES, "f");

        assertThatThrownBy(() -> matrix.toTopology(List.of(new Host("mac1"))))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("1 hosts for a matrix of 2 rows");
    }
}
