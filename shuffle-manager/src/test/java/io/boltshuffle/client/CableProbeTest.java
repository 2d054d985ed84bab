package io.boltshuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.conf.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CableProbeTest {

    private final Path devices;

    CableProbeTest(@TempDir Path devices) {
        this.devices = devices;
    }

    @Test
    void linuxHasACableWhereAPortIsActive() throws Exception {
        assertThat(CableProbe.hasActivePort(devices.resolve("none"))).isFalse();
        assertThat(CableProbe.hasActivePort(devices)).isFalse();

        port("mlx5_0/ports/1", "1: DOWN");
        assertThat(CableProbe.hasActivePort(devices)).isFalse();

        port("mlx5_0/ports/2", "4: ACTIVE");
        assertThat(CableProbe.hasActivePort(devices)).isTrue();
    }

    @Test
    void aMacHasACableWhereAnotherMacIsBehindAPort() {
        String port = """
                {"SPThunderboltDataType": [{
                  "_items": [%s],
                  "domain_uuid_key": "A1",
                  "receptacle_1_tag": {"receptacle_id_key": "1", "receptacle_status_key": "receptacle_connected"}}]}
                """;

        assertThat(CableProbe.leadsToAMac("")).isFalse();
        assertThat(CableProbe.leadsToAMac(port.formatted("{\"_name\": \"a dock\"}")))
                .isFalse();
        String mac = "{\"_name\": \"mac2\", \"domain_uuid_key\": \"B2\"}";
        assertThat(CableProbe.leadsToAMac(port.formatted(mac))).isTrue();
        assertThat(CableProbe.leadsToAMac(port.formatted("{\"_name\": \"a dock\", \"_items\": [" + mac + "]}")))
                .isTrue();
    }

    @Test
    void whereTheUserNamesALibraryOrOtherProvidersOnlyAnAgentCanTell() {
        assertThat(CableProbe.mayExist(Settings.parse(Map.of("spark.boltshuffle.agent.verbsLibrary", "/opt/libv.so"))))
                .isTrue();
        assertThat(CableProbe.mayExist(Settings.parse(Map.of("spark.boltshuffle.agent.otherProviders", "true"))))
                .isTrue();
    }

    private void port(String name, String state) throws IOException {
        Files.writeString(Files.createDirectories(devices.resolve(name)).resolve("state"), state + "\n");
    }
}
