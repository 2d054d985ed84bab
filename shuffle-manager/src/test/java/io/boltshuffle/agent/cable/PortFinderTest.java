package io.boltshuffle.agent.cable;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.os.OperatingSystem;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.topology.mac.ThunderboltDevices;
import io.boltshuffle.wire.PortFacts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which devices are used where a card of another provider is beside Apple's. */
class PortFinderTest {
    private static final String CARD = FakeVerbs.CARD + 0;
    private static final String THUNDERBOLT = "rdma_en5";

    private final FakeVerbs verbs = new FakeVerbs();

    @Test
    void aCardBesideThunderboltIsLeftOut() throws Exception {
        verbs.plug(CARD, THUNDERBOLT);
        assertThat(found(false)).containsExactly(THUNDERBOLT);
    }

    @Test
    void aCardBesideThunderboltIsUsedIfTheUserWantsIt() throws Exception {
        verbs.plug(CARD, THUNDERBOLT);
        assertThat(found(true)).containsExactly(CARD, THUNDERBOLT);
    }

    @Test
    void onAMacACardIsLeftOutAlsoWhereThereIsNoThunderboltDevice() throws Exception {
        verbs.plug(CARD);
        assertThat(found(false))
                .isEqualTo(OperatingSystem.current() == OperatingSystem.MACOS ? List.of() : List.of(CARD));
        assertThat(found(true)).containsExactly(CARD);
    }

    @Test
    void aDeviceOnASlowLinkIsNotEvenOpened() throws Exception {
        verbs.plug(THUNDERBOLT, "rdma_en6");
        PortSurvey survey = new ThunderboltDomains((limit, words) -> words.equals(ThunderboltDevices.PORTS)
                ? """
                {"SPThunderboltDataType": [
                  {"domain_uuid_key": "A", "receptacle_1_tag": {"receptacle_id_key": "1",
                   "current_speed_key": "40 Gb/s", "receptacle_status_key": "receptacle_connected"}},
                  {"domain_uuid_key": "B", "receptacle_1_tag": {"receptacle_id_key": "2",
                   "current_speed_key": "80 Gb/s", "receptacle_status_key": "receptacle_connected"}}]}
                """
                : "Hardware Port: Thunderbolt 1\nDevice: en5\n\nHardware Port: Thunderbolt 2\nDevice: en6\n");

        assertThat(new PortFinder(verbs, survey, false).findActive())
                .extracting(port -> port.name().device())
                .containsExactly("rdma_en6");
        assertThat(verbs.opened()).containsExactly("rdma_en6");
    }

    private List<String> found(boolean otherProviders) throws VerbsException {
        return new PortFinder(verbs, PortSurvey.unknown(), otherProviders)
                .findActive().stream()
                        .map(PortFacts::name)
                        .map(port -> port.device())
                        .toList();
    }
}
