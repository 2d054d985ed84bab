package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.topology.MlxHostfile;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import java.util.List;
import java.util.Optional;
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
    void aPortAttachedToSomebodyElseIsNoCable() {
        assertThat(UNTOLD.cables(
                        List.of(thunderbolt("rdma_en5", "A", "Z")), List.of(thunderbolt("rdma_en5", "X", "A"))))
                .isEmpty();
    }

    @Test
    void portsOnOneNetworkArePairedOnce() {
        List<PortFacts> near = List.of(ethernet("rxe0", 1, 1), ethernet("rxe1", 2, 1));
        List<PortFacts> far = List.of(ethernet("rxe0", 2, 2), ethernet("rxe1", 3, 2));
        assertThat(UNTOLD.cables(near, far)).containsExactly(pair("rxe1", "rxe0"));
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

    private static PortFacts thunderbolt(String device, String domain, String attached) {
        return new PortFacts(new PortName(device, 1), "THUNDERBOLT", domain, attached, List.of());
    }

    private static PortFacts ethernet(String device, int network, int host) {
        byte[] gid = new byte[16];
        gid[10] = (byte) 0xff;
        gid[11] = (byte) 0xff;
        gid[12] = 10;
        gid[14] = (byte) network;
        gid[15] = (byte) host;
        return new PortFacts(new PortName(device, 1), "ETHERNET", "", "", List.of(Opaque.of(gid)));
    }

    private static CablePair pair(String near, String far) {
        return new CablePair(new PortName(near, 1), new PortName(far, 1));
    }
}
