package io.boltshuffle.agent.cable;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.cable.PortSurvey.Behind;
import io.boltshuffle.os.SystemCommand;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.PortName;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows what commands of the system print, as the pairing of cables needs it. */
class PortSurveyTest {

    private static final Map<String, String> MAC = Map.of(
            "system_profiler",
            """
            {"SPThunderboltDataType": [
              {"domain_uuid_key": "aaaa-1", "receptacle_1_tag": {"receptacle_id_key": "3"},
               "_items": [{"_name": "Mac Studio", "domain_uuid_key": "bbbb-2"}]},
              {"domain_uuid_key": "aaaa-2", "receptacle_1_tag": {"receptacle_id_key": "1"},
               "_items": [{"_name": "Dock"}]}
            ]}""",
            "networksetup",
            "Hardware Port: Thunderbolt 1\nDevice: en2\n\nHardware Port: Thunderbolt 3\nDevice: en5\n");

    @Test
    void aMacsPortsTellTheirDomainAndTheOneTheyAreCabledTo() {
        PortSurvey.View view = new ThunderboltDomains(printing(MAC)).look();
        assertThat(view.port(port("rdma_en5"))).isEqualTo(new Behind("AAAA-1", "BBBB-2", List.of()));
        assertThat(view.port(port("rdma_en2"))).isEqualTo(new Behind("AAAA-2", "", List.of()));
        assertThat(view.port(port("rdma_en9"))).isEqualTo(Behind.UNKNOWN);
    }

    @Test
    void aMacWhoseCommandsFailKnowsNothing() {
        assertThat(new ThunderboltDomains(printing(Map.of())).look().port(port("rdma_en5")))
                .isEqualTo(Behind.UNKNOWN);
    }

    @Test
    void linuxKnowsWhoAnsweredAtTheInterfaceBehindAPort(@TempDir Path devices) throws Exception {
        Path attributes = Files.createDirectories(devices.resolve("rxe0/ports/1/gid_attrs/ndevs"));
        Files.writeString(attributes.resolve("0"), "enp3s0\n");
        String table = """
                fe80::1:2 dev enp3s0 lladdr 52:54:00:00:00:02 router STALE
                fe80::9 dev enp3s0 FAILED
                fe80::7 dev enp4s0 lladdr 52:54:00:00:00:07 REACHABLE
                fe80::zz dev enp3s0 lladdr 52:54:00:00:00:08 REACHABLE
                fe80:::: dev enp3s0 lladdr 52:54:00:00:00:09 REACHABLE
                """;
        PortSurvey.View view = new LinkLocalNeighbours(printing(Map.of("ip", table)), devices).look();
        Opaque neighbour = Opaque.of(InetAddress.getByName("fe80::1:2").getAddress());
        assertThat(view.port(port("rxe0"))).isEqualTo(new Behind("", "", List.of(neighbour)));
        assertThat(view.port(port("rxe1"))).isEqualTo(Behind.UNKNOWN);
    }

    @Test
    void aCommandIsHeardIfItEndsWellAndInTime() {
        Duration patience = Duration.ofSeconds(60);
        assertThat(SystemCommand.output(patience, List.of("echo", "here"))).isEqualTo("here\n");
        assertThat(SystemCommand.output(patience, List.of("sh", "-c", "echo here; exit 3")))
                .isEmpty();
        assertThat(SystemCommand.output(patience, List.of("no-such-command"))).isEmpty();
        assertThat(SystemCommand.output(Duration.ofMillis(10), List.of("sleep", "60")))
                .isEmpty();
    }

    private static PortSurvey.Commands printing(Map<String, String> outputs) {
        return (limit, words) -> outputs.getOrDefault(words.get(0), "");
    }

    private static PortName port(String device) {
        return new PortName(device, 1);
    }
}
