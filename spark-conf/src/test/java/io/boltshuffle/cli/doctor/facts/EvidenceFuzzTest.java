package io.boltshuffle.cli.doctor.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.doctor.SavedEvidence;
import io.boltshuffle.cli.doctor.check.Cluster;
import io.boltshuffle.cli.doctor.check.Diagnosis;
import io.boltshuffle.cli.doctor.fabric.AddressPlan;
import io.boltshuffle.cli.doctor.fabric.CableAdvice;
import io.boltshuffle.cli.doctor.fabric.Diagram;
import io.boltshuffle.cli.doctor.fabric.Fabric;
import io.boltshuffle.cli.doctor.fabric.SvgDrawing;
import io.boltshuffle.cli.doctor.fabric.TextDrawing;
import io.boltshuffle.cli.doctor.probe.Evidence;
import io.boltshuffle.cli.doctor.probe.EvidenceFile;
import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** No text that a command may print makes the doctor fail: one host's evidence is damaged, a neighbour's is whole. */
class EvidenceFuzzTest extends FuzzContract {

    @Override
    protected int thinning() {
        return 400;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        return SavedEvidence.names("healthy").stream().map(EvidenceFuzzTest::target);
    }

    private static FuzzTarget target(String cluster) {
        List<Evidence> healthy = SavedEvidence.healthy(cluster);
        Evidence neighbour = healthy.get(healthy.size() - 1);
        List<byte[]> samples = healthy.stream()
                .map(evidence -> EvidenceFile.format(evidence).getBytes(StandardCharsets.UTF_8))
                .toList();
        return new FuzzTarget(
                "evidence-" + cluster,
                input -> diagnose(
                        List.of(EvidenceFile.parse("damaged", new String(input, StandardCharsets.UTF_8)), neighbour)),
                samples,
                Set.of());
    }

    private static void diagnose(List<Evidence> evidence) {
        Fabric fabric = SavedEvidence.fabric(evidence);

        assertThat(Diagnosis.of(new Cluster(fabric, Optional.empty())).findings())
                .allMatch(finding -> !finding.seen().isEmpty());
        assertThat(fabric.toTopology().hosts()).hasSize(evidence.size());
        assertThat(TextDrawing.draw(Diagram.of(fabric))).isNotEmpty();
        assertThat(SvgDrawing.draw(Diagram.of(fabric))).endsWith("</svg>\n");
        assertThat(CableAdvice.of(fabric)).doesNotContainNull();
        assertThat(AddressPlan.of(fabric)).doesNotContainNull();
    }
}
