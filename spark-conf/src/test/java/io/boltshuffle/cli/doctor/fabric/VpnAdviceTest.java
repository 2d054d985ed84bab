package io.boltshuffle.cli.doctor.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.doctor.SavedEvidence;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VpnAdviceTest {
    private final List<HostFacts> macs =
            SavedEvidence.fabric(SavedEvidence.healthy("2-macs-27.0")).hosts();

    @Test
    void aNameThatLeadsToAnAddressOfAVpnIsSaid() {
        Map<String, List<String>> names =
                Map.of("mac1", List.of("192.168.1.4"), "mac2", List.of("fe80::1", "100.101.7.9", "192.168.1.5"));

        assertThat(VpnAdvice.of(macs, host -> names.getOrDefault(host, List.of())))
                .singleElement()
                .asString()
                .startsWith("Warning: the name mac2 leads to 100.101.7.9, an address of a VPN (100.64.0.0/10). Use");
    }

    @Test
    void namesOfTheLocalNetworkAndUnknownOnesGiveNoWarning() {
        assertThat(VpnAdvice.of(macs, host -> host.equals("mac1") ? List.of("192.168.1.4") : List.of()))
                .isEmpty();
    }
}
