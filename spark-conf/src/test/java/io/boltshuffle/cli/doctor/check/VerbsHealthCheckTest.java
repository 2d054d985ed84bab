package io.boltshuffle.cli.doctor.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.doctor.SavedEvidence;
import io.boltshuffle.cli.doctor.probe.Evidence;
import io.boltshuffle.cli.doctor.probe.Outcome;
import io.boltshuffle.cli.doctor.probe.ProbeCommand;
import io.boltshuffle.topology.MlxHostfile;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A Mac with a network card whose RDMA provider is not Apple's, beside its Thunderbolt ports. */
class VerbsHealthCheckTest {
    private static final String CARD = "rdma_mcrdma0";

    @Test
    void aCardOfAnotherProviderIsNamedWithTheSettingThatLetsAgentsUseIt() {
        Cluster cluster = SavedEvidence.cluster(
                List.of(withACard(SavedEvidence.healthy("2-macs-27.0").get(0))));

        List<Finding> findings = new VerbsHealthCheck().on(cluster);

        assertThat(findings).allMatch(finding -> finding.severity() == Severity.OK);
        assertThat(findings)
                .extracting(Finding::seen)
                .anySatisfy(seen -> assertThat(seen)
                        .contains(CARD + " (PORT_ACTIVE, Ethernet)", "spark.boltshuffle.agent.otherProviders is true"));
    }

    @Test
    void macsWithoutSuchACardHearNothingOfIt() {
        assertThat(new VerbsHealthCheck().on(SavedEvidence.cluster(SavedEvidence.healthy("2-macs-27.0"))))
                .isNotEmpty()
                .extracting(Finding::seen)
                .noneMatch(seen -> seen.contains("another provider"));
    }

    /** A file may name a cable between two cards; whether it runs there, nothing on a Mac tells. */
    @Test
    void aFileThatNamesTheCablesOfCardsIsNotContradicted() {
        List<Evidence> macs = SavedEvidence.healthy("2-macs-27.0");
        String file = """
                [{"ssh": "%s", "rdma": [null, "%s"]}, {"ssh": "%s", "rdma": ["%s", null]}]
                """.formatted(macs.get(0).host(), CARD, macs.get(1).host(), CARD);
        Cluster cluster = new Cluster(
                SavedEvidence.fabric(macs),
                Optional.of(MlxHostfile.parse(file, "hosts.json").topology()));

        assertThat(new CrossedCablesCheck().on(cluster)).isEmpty();
    }

    private static Evidence withACard(Evidence mac) {
        Map<ProbeCommand, Outcome> outcomes = new EnumMap<>(mac.outcomes());
        add(outcomes, ProbeCommand.IBV_DEVICES, "    " + CARD + "   \t0c42a10300aabbcc\n");
        add(outcomes, ProbeCommand.IBV_DEVINFO, """
                hca_id:\t%s
                \ttransport:\t\t\tInfiniBand (0)
                \tmax_qp:\t\t\t\t262144
                \t\tport:\t1
                \t\t\tstate:\t\t\tPORT_ACTIVE (4)
                \t\t\tlink_layer:\t\tEthernet
                """.formatted(CARD));
        return new Evidence(mac.host(), outcomes);
    }

    private static void add(Map<ProbeCommand, Outcome> outcomes, ProbeCommand command, String lines) {
        outcomes.computeIfPresent(
                command,
                (same, outcome) -> Outcome.ran(outcome.exitCode(), outcome.stdout() + lines, outcome.stderr()));
    }
}
