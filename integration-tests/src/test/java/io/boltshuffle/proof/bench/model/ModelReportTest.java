package io.boltshuffle.proof.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.BoltException;
import org.junit.jupiter.api.Test;

class ModelReportTest {
    private static final CpuCosts COSTS = new CpuCosts(1.0, 0.25, "a test");

    @Test
    void twoHostsReceiveAQuarterOfTheShuffleEach() {
        Prediction prediction = Prediction.of(NetworkKind.THUNDERBOLT_RDMA, 2, 64 * 4, 4, COSTS);

        assertThat(prediction.wireSeconds()).isCloseTo(64 / 6.4, within(1e-9));
        assertThat(prediction.cpuSeconds()).isCloseTo(64 * 0.25 / 4, within(1e-9));
        assertThat(prediction.limit()).isEqualTo("wire");
    }

    @Test
    void whatCostsMoreCpuThanThereIsWaitsForIt() {
        Prediction prediction = Prediction.of(NetworkKind.THUNDERBOLT_TCP_40, 2, 40, 1, COSTS);

        assertThat(prediction.seconds()).isCloseTo(10, within(1e-9));
        assertThat(prediction.limit()).isEqualTo("CPU");
    }

    @Test
    void cablesMultiplyWithPeersAndAnEthernetPortDoesNot() {
        assertThat(NetworkKind.THUNDERBOLT_RDMA.receiveSpeed(3)).isCloseTo(3 * 6.4, within(1e-9));
        assertThat(NetworkKind.TEN_GBE.receiveSpeed(3)).isEqualTo(NetworkKind.TEN_GBE.receiveSpeed(1));
    }

    @Test
    void theReportSaysThatItIsAPredictionAndOnWhatItRests() {
        String text = new ModelReport(100, 10, COSTS).toText();

        assertThat(text).startsWith("A PREDICTION").contains("Netty 1.00 s/GB", "boltshuffle 0.25 s/GB", "a test");
        for (NetworkKind fabric : NetworkKind.values()) {
            assertThat(text).contains(fabric.source());
        }
    }

    @Test
    void costsAreTakenFromTheFetchesOfOneMebibyteThatWereSent() throws Exception {
        String json = """
                {"points": [
                  {"cables": "read", "blockBytes": 1048576, "stock": {}, "boltshuffle": {}},
                  {"cables": "send", "blockBytes": 4096, "stock": {}, "boltshuffle": {}},
                  {"cables": "send", "blockBytes": 1048576,
                   "stock": {"cpuSecondsPerGigabyte": {"median": 1.5}},
                   "boltshuffle": {"cpuSecondsPerGigabyte": {"median": 0.5}}}]}
                """;

        CpuCosts costs = CpuCosts.parse(new ObjectMapper().readTree(json), "x");

        assertThat(costs).isEqualTo(new CpuCosts(1.5, 0.5, "x"));
    }

    @Test
    void aReportWithoutThemIsRefused() {
        assertThatThrownBy(() -> CpuCosts.parse(new ObjectMapper().createObjectNode(), "x.json"))
                .isInstanceOf(BoltException.class)
                .hasMessageContaining("x.json");
    }
}
