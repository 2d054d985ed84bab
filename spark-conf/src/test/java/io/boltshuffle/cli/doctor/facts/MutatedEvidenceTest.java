package io.boltshuffle.cli.doctor.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.doctor.Fixtures;
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
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** No text that a command may print makes the doctor fail. One case is run again with {@code -Dfacts.seed=<seed>}. */
class MutatedEvidenceTest {

    private static final int CASES = 300;
    private static final int MUTATIONS = 40;
    private static final String ALPHABET = "0123456789.:,[]{}()<>\"\\\n\t =%/-eE\u0000\u00e9xUD";

    private final List<List<String>> clusters = Fixtures.names("healthy").stream()
            .map(name ->
                    Fixtures.healthy(name).stream().map(EvidenceFile::format).toList())
            .toList();

    @Test
    void damagedEvidenceIsDiagnosedAndDrawn() {
        long first = Long.getLong("facts.seed", 0L);
        int cases = Long.getLong("facts.seed") == null ? CASES : 1;
        for (long seed = first; seed < first + cases; seed++) {
            try {
                diagnose(new Random(seed));
            } catch (RuntimeException | AssertionError crash) {
                throw new AssertionError("run again with -Dfacts.seed=" + seed, crash);
            }
        }
    }

    private void diagnose(Random random) {
        List<String> texts = clusters.get(random.nextInt(clusters.size()));
        List<Evidence> evidence = IntStream.range(0, texts.size())
                .mapToObj(i -> EvidenceFile.parse("host" + i, mutate(texts.get(i), random)))
                .toList();
        Fabric fabric = Fixtures.fabric(evidence);

        assertThat(Diagnosis.of(new Cluster(fabric, Optional.empty())).findings())
                .allMatch(finding -> !finding.seen().isEmpty());
        assertThat(fabric.toTopology().hosts()).hasSize(evidence.size());
        assertThat(TextDrawing.draw(Diagram.of(fabric))).isNotEmpty();
        assertThat(SvgDrawing.draw(Diagram.of(fabric))).endsWith("</svg>\n");
        assertThat(CableAdvice.of(fabric)).doesNotContainNull();
        assertThat(AddressPlan.of(fabric)).doesNotContainNull();
    }

    private static String mutate(String text, Random random) {
        StringBuilder damaged = new StringBuilder(text);
        for (int i = random.nextInt(MUTATIONS); i >= 0; i--) {
            int at = random.nextInt(damaged.length());
            int end = Math.min(damaged.length(), at + 1 + random.nextInt(30));
            switch (random.nextInt(4)) {
                case 0 -> damaged.setCharAt(at, ALPHABET.charAt(random.nextInt(ALPHABET.length())));
                case 1 -> damaged.insert(at, ALPHABET.charAt(random.nextInt(ALPHABET.length())));
                case 2 -> damaged.delete(at, end).append('\n');
                default -> damaged.insert(random.nextInt(damaged.length()), damaged.substring(at, end));
            }
        }
        return damaged.toString();
    }
}
