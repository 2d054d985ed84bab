package io.boltshuffle.cli.doctor.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.cli.doctor.SavedEvidence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvidenceFileTest {

    private static final Evidence EVIDENCE = new Evidence(
            "mac1",
            Map.of(
                    ProbeCommand.UNAME, Outcome.ran(0, "Darwin\n", ""),
                    ProbeCommand.RDMA_FLAG, Outcome.ran(1, "", "rdma_ctl: no\nsuch thing\n"),
                    ProbeCommand.ARP, Outcome.ran(0, "=====[ ndp ]===== ran exit=0: a trap\n\\=====[ arp\nlast\n", ""),
                    ProbeCommand.IBV_DEVINFO, Outcome.hung("hca_id:\n", ""),
                    ProbeCommand.NDP, Outcome.NOT_FOUND));

    @Test
    void whatIsWrittenIsReadBack() {
        assertThat(EvidenceFile.parse("mac1", EvidenceFile.format(EVIDENCE))).isEqualTo(EVIDENCE);
    }

    @Test
    void theFixturesAreWrittenAsTheyAreRead(@TempDir Path directory) throws IOException {
        List<Evidence> fixtures = SavedEvidence.healthy("2-macs-26.3");
        for (Evidence fixture : fixtures) {
            EvidenceFile.write(fixture, directory);
        }

        assertThat(EvidenceFile.readAll(directory)).isEqualTo(fixtures);
    }

    @Test
    void sectionsOfAnotherVersionAreSkipped() {
        Evidence evidence = EvidenceFile.parse(
                "mac1",
                "preface\n=====[ quantum ]===== ran exit=0: quantum\nfoo\n=====[ uname ]===== ran exit=0: "
                        + "uname\nDarwin\n");

        assertThat(evidence.outcomes()).containsOnlyKeys(ProbeCommand.UNAME);
        assertThat(evidence.text(ProbeCommand.UNAME)).isEqualTo("Darwin\n");
    }

    @Test
    void aDirectoryWithoutEvidenceIsRefused(@TempDir Path directory) {
        assertThatThrownBy(() -> EvidenceFile.readAll(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("0 files *.evidence.txt");
    }

    @Test
    void aHostNameCannotLeaveTheDirectory(@TempDir Path directory) throws IOException {
        Path file = EvidenceFile.write(new Evidence("../../user@mac", Map.of()), directory);

        assertThat(file.getParent()).isEqualTo(directory);
    }
}
