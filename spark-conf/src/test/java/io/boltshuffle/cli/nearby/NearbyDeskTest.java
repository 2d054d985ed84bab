package io.boltshuffle.cli.nearby;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.joining.Fingerprint;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.jmdns.ServiceInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NearbyDeskTest {
    private static final String HEX = "0123456789abcdef".repeat(4);

    private static NearbyDesk desk(String name) throws UnknownHostException {
        return new NearbyDesk(name, InetAddress.getByName("192.0.2.7"), 7340, new Fingerprint(HEX));
    }

    @Test
    void anAnnouncementHasNamePortAndFingerprintAndNothingElse() throws UnknownHostException {
        ServiceInfo service = desk("mac1.local").service();

        Map<String, String> told = new HashMap<>();
        for (Enumeration<String> keys = service.getPropertyNames(); keys.hasMoreElements(); ) {
            String key = keys.nextElement();
            told.put(key, service.getPropertyString(key));
        }
        assertThat(told).isEqualTo(Map.of("name", "mac1.local", "fingerprint", HEX));
        assertThat(service.getPort()).isEqualTo(7340);
        assertThat(service.getName()).isEqualTo("bolt-0123456789abcdef");
        assertThat(service.getType()).isEqualTo("_boltshuffle._tcp.local.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\u001b[31mmac1", "mac1\nbolt: all is well", "mac 1", "-h", "$(reboot)"})
    void aNameThatNoMachineHasReachesNoTerminal(String name) throws UnknownHostException {
        assertThat(desk(name).name()).isEqualTo("a-machine");
    }

    @ParameterizedTest
    @CsvSource({"0, ", "7340, ", "7340, 01234567", "7340, '; reboot'", "0, 00"})
    void whatCannotBeOneOfOursIsLeftOut(int port, String fingerprint) {
        Map<String, String> properties = new HashMap<>(Map.of("name", "mac1"));
        Optional.ofNullable(fingerprint).ifPresent(told -> properties.put("fingerprint", told));

        assertThat(NearbyDesk.of(ServiceInfo.create(NearbyDesk.SERVICE, "bolt-x", port, 0, 0, properties)))
                .isEmpty();
    }

    @Test
    void anAnnouncementWithoutAnAddressIsNoDesk() throws UnknownHostException {
        assertThat(NearbyDesk.of(desk("mac1").service())).isEmpty();
    }
}
