package io.boltshuffle.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopologyTest {

    private static final List<Host> THREE =
            List.of(new Host("mac1", List.of("10.0.0.1")), new Host("mac2"), new Host("mac3"));

    @Test
    void severalCablesOfAPairKeepTheirOrder() {
        Topology topology = new Topology(
                THREE,
                List.of(cable("mac1", "rdma_en6", "mac2", "rdma_en3"), cable("mac2", "rdma_en4", "mac1", "rdma_en5")));

        assertThat(topology.cables("mac1", "mac2"))
                .extracting(cable -> cable.near().device() + ">" + cable.far().device())
                .containsExactly("rdma_en6>rdma_en3", "rdma_en5>rdma_en4");
        assertThat(topology.cables("mac2", "mac1"))
                .extracting(cable -> cable.near().device() + ">" + cable.far().device())
                .containsExactly("rdma_en3>rdma_en6", "rdma_en4>rdma_en5");
    }

    @Test
    void pairsWithoutACableAreNamedInRankOrder() {
        Topology topology = new Topology(THREE, List.of(cable("mac2", "rdma_en4", "mac3", "rdma_en5")));

        assertThat(topology.pairsWithoutCable())
                .containsExactly(new Topology.Pair("mac1", "mac2"), new Topology.Pair("mac1", "mac3"));
    }

    @Test
    void aHostIsFoundByNameAndByAddress() {
        Topology topology = new Topology(THREE, List.of());

        assertThat(topology.find("10.0.0.1")).map(Host::name).hasValue("mac1");
        assertThat(topology.find("mac3")).map(Host::name).hasValue("mac3");
        assertThat(topology.find("mac4")).isEmpty();
        assertThat(topology.rank("mac2")).isEqualTo(1);
        assertThat(topology.rank("mac4")).isEqualTo(-1);
    }

    @Test
    void aCableIsFoundAtEitherOfItsPorts() {
        Topology topology = new Topology(THREE, List.of(cable("mac1", "rdma_en4", "mac2", "rdma_en5")));

        assertThat(topology.cableAt(new Port("mac2", new DeviceName("rdma_en5"))))
                .hasValue(cable("mac2", "rdma_en5", "mac1", "rdma_en4"));
        assertThat(topology.cableAt(new Port("mac2", new DeviceName("rdma_en4"))))
                .isEmpty();
    }

    @Test
    void aPortTakesOneCableOnly() {
        assertThatThrownBy(() -> new Topology(
                        THREE,
                        List.of(
                                cable("mac1", "rdma_en4", "mac2", "rdma_en4"),
                                cable("mac3", "rdma_en4", "mac1", "rdma_en4"))))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("mac1/rdma_en4 is already used");
    }

    @Test
    void aCableHasItsEndsOnTwoListedHosts() {
        assertThatThrownBy(() -> cable("mac1", "rdma_en4", "mac1", "rdma_en5"))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("both ends on one host");
        assertThatThrownBy(() -> new Topology(THREE, List.of(cable("mac1", "rdma_en4", "mac9", "rdma_en4"))))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("unknown host mac9");
    }

    @Test
    void aHostIsListedOnce() {
        assertThatThrownBy(() -> new Topology(List.of(new Host("mac1"), new Host("mac1")), List.of()))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("mac1 twice");
    }

    @Test
    void aPairHasAtMostSixCables() {
        List<Cable> seven = IntStream.rangeClosed(1, 7)
                .mapToObj(i -> cable("mac1", "rdma_en" + i, "mac2", "rdma_en" + i))
                .toList();

        assertThat(new Topology(THREE, seven.subList(0, 6)).cables("mac1", "mac2"))
                .hasSize(6);
        assertThatThrownBy(() -> new Topology(THREE, seven))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("too many cables");
    }

    @Test
    void devicesSortByInterfaceNumberAndNameTheirInterface() {
        assertThat(List.of(new DeviceName("rdma_en10"), new DeviceName("rdma_en9")).stream()
                        .sorted()
                        .toList())
                .containsExactly(new DeviceName("rdma_en9"), new DeviceName("rdma_en10"));
        assertThat(DeviceName.ofInterface("en5").interfaceName()).isEqualTo("en5");
        assertThat(DeviceName.ofInterface("en5").isThunderbolt()).isTrue();
        assertThatThrownBy(() -> new DeviceName("mlx5_0")).hasMessageContaining("unknown device name \"mlx5_0\"");
    }

    @Test
    void cardsOfAnotherProviderHaveNamesOfTheirOwn() {
        DeviceName card = new DeviceName("rdma_mcrdma10");

        assertThat(card.isThunderbolt()).isFalse();
        assertThat(card.interfaceName()).isEqualTo("mcrdma10");
        assertThat(List.of(card, new DeviceName("rdma_mcrdma3"), new DeviceName("rdma_en12")).stream()
                        .sorted()
                        .toList())
                .containsExactly(new DeviceName("rdma_en12"), new DeviceName("rdma_mcrdma3"), card);
    }

    static Cable cable(String near, String nearDevice, String far, String farDevice) {
        return new Cable(new Port(near, new DeviceName(nearDevice)), new Port(far, new DeviceName(farDevice)));
    }
}
