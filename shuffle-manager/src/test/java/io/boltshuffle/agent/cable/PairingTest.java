package io.boltshuffle.agent.cable;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.topology.MlxHostfile;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import io.boltshuffle.wire.WireLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PairingTest {

    private static final Pairing UNTOLD = new Pairing("mac1", "mac2", Optional.empty());

    @Test
    void crossedCablesArePairedByWhatPortsAreAttachedTo() {
        List<PortFacts> near = List.of(thunderbolt("rdma_en5", "A", "Y"), thunderbolt("rdma_en6", "B", "X"));
        List<PortFacts> far = List.of(thunderbolt("rdma_en5", "X", "B"), thunderbolt("rdma_en6", "Y", "A"));
        assertThat(UNTOLD.cables(near, far))
                .containsExactly(pair("rdma_en5", "rdma_en6"), pair("rdma_en6", "rdma_en5"));
    }

    @Test
    void oneEndsWordIsEnoughUnlessTheOtherSaysOtherwise() {
        List<PortFacts> near = List.of(thunderbolt("rdma_en5", "A", "Y"), thunderbolt("rdma_en6", "B", "X"));
        List<PortFacts> far = List.of(thunderbolt("rdma_en5", "X", ""), thunderbolt("rdma_en6", "Y", "Z"));
        assertThat(UNTOLD.cables(near, far)).containsExactly(pair("rdma_en6", "rdma_en5"));
    }

    @Test
    void aPortAttachedToSomebodyElseIsNoCable() {
        assertThat(UNTOLD.cables(
                        List.of(thunderbolt("rdma_en5", "A", "Z")), List.of(thunderbolt("rdma_en5", "X", "A"))))
                .isEmpty();
    }

    @Test
    void portsOnOneNetworkArePairedOnce() {
        List<PortFacts> near = List.of(ethernet("rxe0", ipv4(1, 1)), ethernet("rxe1", ipv4(2, 1)));
        List<PortFacts> far = List.of(ethernet("rxe0", ipv4(2, 2)), ethernet("rxe1", ipv4(3, 2)));
        assertThat(UNTOLD.cables(near, far)).containsExactly(pair("rxe1", "rxe0"));
    }

    /** The end that was called links only over the pairs that it finds itself. */
    @Test
    void bothEndsFindTheSameCables() {
        Random random = new Random(7);
        for (int round = 0; round < 2000; round++) {
            List<PortFacts> near = somePorts(random);
            List<PortFacts> far = somePorts(random);
            assertThat(UNTOLD.cables(far, near))
                    .as("round %d: %s and %s", round, near, far)
                    .map(cable -> pair(cable.far().device(), cable.near().device()))
                    .containsExactlyInAnyOrderElementsOf(UNTOLD.cables(near, far));
        }
    }

    /** Few networks, addresses and domains, so that many of them fit several others. */
    private static List<PortFacts> somePorts(Random random) {
        List<PortFacts> ports = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            if (random.nextBoolean()) {
                ports.add(thunderbolt("rdma_en" + i, "d" + random.nextInt(4), "d" + random.nextInt(4)));
            } else {
                ports.add(ethernet("rdma_en" + i, ipv4(random.nextInt(3), random.nextInt(4))));
            }
        }
        return ports;
    }

    @Test
    void portsOfOneInfiniBandSubnetArePaired() {
        PortFacts near = port("mlx5_0", "INFINIBAND", List.of(linkLocal(1)), List.of());
        PortFacts far = port("mlx5_1", "INFINIBAND", List.of(linkLocal(2)), List.of());
        assertThat(UNTOLD.cables(List.of(near), List.of(far))).containsExactly(pair("mlx5_0", "mlx5_1"));
        assertThat(UNTOLD.cables(List.of(near), List.of(ethernet("rxe0", linkLocal(2)))))
                .isEmpty();
    }

    @Test
    void portsWithoutIpv4ArePairedByTheNeighbourTableOfEither() {
        PortFacts near = ethernet("rxe0", linkLocal(1));
        PortFacts far = ethernet("rxe5", linkLocal(2));
        PortFacts seesNear = port("rxe5", "ETHERNET", List.of(linkLocal(2)), List.of(linkLocal(9), linkLocal(1)));
        assertThat(UNTOLD.cables(List.of(near), List.of(far))).isEmpty();
        assertThat(UNTOLD.cables(List.of(near), List.of(seesNear))).containsExactly(pair("rxe0", "rxe5"));
        assertThat(UNTOLD.cables(List.of(seesNear), List.of(near))).containsExactly(pair("rxe5", "rxe0"));
    }

    /** The address of a card tells its cable, although the Thunderbolt ports beside it tell more of theirs. */
    @Test
    void cardsArePairedBesideThunderboltPorts() {
        List<PortFacts> near = List.of(thunderbolt("rdma_en5", "A", "X"), ethernet("rdma_mcrdma0", ipv4(1, 1)));
        List<PortFacts> far = List.of(ethernet("rdma_mcrdma2", ipv4(1, 2)), thunderbolt("rdma_en3", "X", "A"));
        assertThat(UNTOLD.cables(near, far))
                .containsExactly(pair("rdma_en5", "rdma_en3"), pair("rdma_mcrdma0", "rdma_mcrdma2"));
    }

    @Test
    void theTopologyFileOverridesAndNamesOnlyPortsThatAreThere() {
        String hosts = """
                [{"ssh": "mac1", "ips": [], "rdma": [null, ["rdma_en5", "rdma_en6"]]},
                 {"ssh": "mac2", "ips": [], "rdma": [["rdma_en9", "rdma_en8"], null]}]
                """;
        Pairing told = new Pairing(
                "mac1",
                "mac2",
                Optional.of(MlxHostfile.parse(hosts, "hosts.json").topology()));
        List<PortFacts> near = List.of(thunderbolt("rdma_en5", "A", "Y"), thunderbolt("rdma_en6", "B", "X"));
        List<PortFacts> far = List.of(thunderbolt("rdma_en8", "Y", "A"));
        assertThat(told.cables(near, far)).containsExactly(pair("rdma_en6", "rdma_en8"));
    }

    @Test
    void whatWasSeenAtBothEndsIsToldWithTheRemedy() {
        List<PortFacts> near = List.of(ethernet("rxe0", ipv4(1, 1)));
        List<PortFacts> far = List.of(ethernet("rxe0", ipv4(2, 2)), thunderbolt("rdma_en5", "A", "Y"));
        assertThat(UNTOLD.whyNone(near, far, ""))
                .contains("here rxe0 (10.0.1.1), there rxe0 (10.0.2.2) and rdma_en5 (no IPv4 address)")
                .contains("of one network of at most 256", "spark.boltshuffle.agent.topologyFile")
                .doesNotEndWith(" ");
        assertThat(UNTOLD.whyNone(List.of(), far, "")).isEqualTo("this host has no active RDMA port");
        assertThat(UNTOLD.whyNone(List.of(), far, "no ports: it hung"))
                .isEqualTo("this host has no active RDMA port (no ports: it hung)");
        assertThat(UNTOLD.whyNone(near, List.of(), "")).isEqualTo("the other host has no active RDMA port");
    }

    @Test
    void whatAPeerTellsDoesNotMakeTheReasonLong() {
        List<PortFacts> many = IntStream.range(0, 60)
                .mapToObj(port -> ethernet("a".repeat(200) + port, ipv4(port, 2)))
                .toList();
        assertThat(UNTOLD.whyNone(many, many, "")).contains("and 57 more").hasSizeLessThan(WireLimits.MAX_DETAIL_BYTES);
    }

    private static PortFacts thunderbolt(String device, String domain, String attached) {
        return new PortFacts(new PortName(device, 1), "THUNDERBOLT", domain, attached, List.of(), List.of());
    }

    private static PortFacts ethernet(String device, Opaque gid) {
        return port(device, "ETHERNET", List.of(gid), List.of());
    }

    private static PortFacts port(String device, String linkLayer, List<Opaque> gids, List<Opaque> neighbours) {
        return new PortFacts(new PortName(device, 1), linkLayer, "", "", gids, neighbours);
    }

    /** 10.0.network.host */
    private static Opaque ipv4(int network, int host) {
        byte[] gid = new byte[16];
        gid[10] = (byte) 0xff;
        gid[11] = (byte) 0xff;
        gid[12] = 10;
        gid[14] = (byte) network;
        gid[15] = (byte) host;
        return Opaque.of(gid);
    }

    /** fe80::host */
    private static Opaque linkLocal(int host) {
        byte[] gid = new byte[16];
        gid[0] = (byte) 0xfe;
        gid[1] = (byte) 0x80;
        gid[15] = (byte) host;
        return Opaque.of(gid);
    }

    private static CablePair pair(String near, String far) {
        return new CablePair(new PortName(near, 1), new PortName(far, 1));
    }
}
