package io.boltshuffle.cli.doctor.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.doctor.SavedEvidence;
import io.boltshuffle.cli.doctor.fabric.Fabric.Pair;
import io.boltshuffle.cli.doctor.probe.Evidence;
import io.boltshuffle.cli.doctor.probe.EvidenceFile;
import io.boltshuffle.topology.Host;
import io.boltshuffle.topology.MlxHostfile;
import java.util.List;
import org.junit.jupiter.api.Test;

class FabricTest {

    @Test
    void cablesArePairedByDomainWhateverTheDevicesAreCalled() {
        Fabric fabric = SavedEvidence.fabric(SavedEvidence.fault("crossed-cables"));

        assertThat(fabric.links())
                .extracting(DiscoveredCable::toString)
                .containsExactly("mac1 port 1 (en2) - mac2 port 1 (en3)", "mac1 port 2 (en3) - mac2 port 2 (en4)");
    }

    @Test
    void everyPairOfAFullMeshHasItsCable() {
        Fabric fabric = SavedEvidence.fabric(SavedEvidence.healthy("4-macs-26.5"));

        assertThat(fabric.links()).hasSize(6).allMatch(DiscoveredCable::isRdma);
        assertThat(fabric.pairsWithoutCable()).isEmpty();
        assertThat(fabric.outside()).isEmpty();
    }

    @Test
    void aPartialMeshNamesThePairsOnTcp() {
        Fabric fabric = SavedEvidence.fabric(SavedEvidence.healthy("5-macs-27.0"));

        assertThat(fabric.pairsWithoutCable())
                .containsExactly(new Pair("mac1", "mac4"), new Pair("mac2", "mac5"), new Pair("mac3", "mac5"));
    }

    @Test
    void aCableToAMacThatWasNotAskedIsOutside() {
        Fabric fabric =
                SavedEvidence.fabric(SavedEvidence.healthy("3-macs-26.4").subList(0, 2));

        assertThat(fabric.links()).hasSize(1);
        assertThat(fabric.outside())
                .extracting(CableEnd::toString)
                .containsExactly("mac1 port 2 (en3)", "mac2 port 2 (en4)");
    }

    @Test
    void aSlowOrInactiveLinkIsNotRdma() {
        assertThat(SavedEvidence.fabric(SavedEvidence.fault("wrong-cable")).links())
                .noneMatch(DiscoveredCable::isRdma);
        assertThat(SavedEvidence.fabric(SavedEvidence.fault("port-down")).links())
                .noneMatch(DiscoveredCable::isRdma);
    }

    @Test
    void theTopologyIsWhatMlxReads() {
        String hostfile = MlxHostfile.of(SavedEvidence.fabric(SavedEvidence.healthy("2-macs-27.0"))
                        .toTopology())
                .format();

        assertThat(hostfile).isEqualTo("""
                {
                  "backend": "jaccl",
                  "envs": [],
                  "hosts": [
                    {"ssh": "mac1", "ips": ["192.168.7.11"], "rdma": [null, ["rdma_en2", "rdma_en3"]]},
                    {"ssh": "mac2", "ips": ["192.168.7.12"], "rdma": [["rdma_en4", "rdma_en3"], null]}
                  ]
                }
                """);
        assertThat(MlxHostfile.parse(hostfile, "again").topology().hosts())
                .extracting(Host::name)
                .containsExactly("mac1", "mac2");
    }

    @Test
    void anInterfaceThatTwoPortsClaimIsUsedOnce() {
        List<Evidence> evidence = SavedEvidence.healthy("2-macs-27.0").stream()
                .map(one -> EvidenceFile.parse(
                        one.host(),
                        EvidenceFile.format(one)
                                .replace("\"receptacle_id_key\": \"2\"", "\"receptacle_id_key\": \"1\"")))
                .toList();

        assertThat(SavedEvidence.fabric(evidence).links()).hasSize(2);
        assertThat(SavedEvidence.fabric(evidence).toTopology().cables()).hasSize(1);
    }

    @Test
    void addressesThatWorkAreKept() {
        assertThat(AddressPlan.of(SavedEvidence.fabric(SavedEvidence.healthy("3-macs-26.4"))))
                .hasSize(6)
                .allMatch(AddressPlan.Assignment::alreadySet);
    }

    @Test
    void eachCableGetsASubnetThatNobodyElseUses() {
        List<AddressPlan.Assignment> plan = AddressPlan.of(SavedEvidence.fabric(SavedEvidence.fault("bridge-loop")));

        assertThat(plan)
                .extracting(one -> one.end().host() + " " + one.interfaceName() + " " + one.address())
                .containsExactly(
                        "mac1 en2 10.81.0.1/30",
                        "mac2 en3 10.81.0.2/30",
                        "mac1 en3 10.81.0.5/30",
                        "mac3 en4 10.81.0.6/30",
                        "mac2 en4 10.81.0.9/30",
                        "mac3 en5 10.81.0.10/30");
        assertThat(plan).noneMatch(AddressPlan.Assignment::alreadySet);
        assertThat(plan.get(0).command()).containsExactly("ifconfig", "en2", "inet", "10.81.0.1/30", "alias");
        assertThat(plan.get(0).lastingCommands())
                .isEqualTo("sudo networksetup -createnetworkservice 'bolt en2' 'Thunderbolt 1'; sudo networksetup "
                        + "-setmanual 'bolt en2' 10.81.0.1 255.255.255.252");
    }

    @Test
    void aNewSubnetNeverMeetsOneThatIsKept() {
        Fabric fabric = SavedEvidence.fabric(SavedEvidence.fault("addresses-do-not-match"));

        assertThat(AddressPlan.of(fabric))
                .extracting(one -> one.address().toString())
                .containsExactly("10.181.0.1/30", "10.181.0.2/30");
    }

    @Test
    void adviceNamesPortsThatAreFree() {
        assertThat(CableAdvice.of(SavedEvidence.fabric(SavedEvidence.fault("no-cable"))))
                .containsExactly(
                        "A cable between mac1 port 1 and mac2 port 1 moves the traffic of mac1 and mac2 from TCP to"
                                + " RDMA.");
        assertThat(CableAdvice.of(SavedEvidence.fabric(SavedEvidence.healthy("2-macs-26.3"))))
                .singleElement()
                .asString()
                .startsWith("Every pair has a cable. One more, between mac1 port 1 and mac2 port 2,");
        assertThat(CableAdvice.of(SavedEvidence.fabric(SavedEvidence.healthy("5-macs-27.0"))))
                .singleElement()
                .asString()
                .startsWith("No port is free for a missing pair");
    }
}
