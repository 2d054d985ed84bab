package io.boltshuffle.cli.nearby;

import io.boltshuffle.cli.joining.Fingerprint;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.jmdns.ServiceInfo;

/**
 * A machine at which others may join, as an announcement describes it.
 *
 * <p><b>Invariant:</b> its name has no character that a terminal would obey.
 *
 * @param name of the machine, for people
 * @param fingerprint of the certificate that it says it has
 */
public record NearbyDesk(String name, InetAddress address, int port, Fingerprint fingerprint) {
    static final String SERVICE = "_boltshuffle._tcp.local.";

    private static final String NAME_KEY = "name";
    private static final String FINGERPRINT_KEY = "fingerprint";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Pattern FINGERPRINT = Pattern.compile("[0-9a-f]{64}");
    private static final int HIGHEST_PORT = 65535;
    private static final int LABEL_DIGITS = 16;

    public NearbyDesk {
        name = NAME.matcher(name).matches() ? name : "a-machine";
    }

    /** Returns the name of the service and of its host in multicast DNS, which differs from the system's own names. */
    String label() {
        return "bolt-" + fingerprint.hex().substring(0, LABEL_DIGITS);
    }

    ServiceInfo service() {
        return ServiceInfo.create(
                SERVICE, label(), port, 0, 0, Map.of(NAME_KEY, name, FINGERPRINT_KEY, fingerprint.hex()));
    }

    /** Reads an announcement. Returns a desk for each address that it names, and none if it cannot be one of ours. */
    static Stream<NearbyDesk> of(ServiceInfo service) {
        String fingerprint =
                Optional.ofNullable(service.getPropertyString(FINGERPRINT_KEY)).orElse("");
        int port = service.getPort();
        if (!FINGERPRINT.matcher(fingerprint).matches() || port < 1 || port > HIGHEST_PORT) {
            return Stream.empty();
        }
        String name = Optional.ofNullable(service.getPropertyString(NAME_KEY)).orElse("");
        return Stream.of(service.getInetAddresses())
                .filter(address -> !address.isAnyLocalAddress() && !address.isMulticastAddress())
                .map(address -> new NearbyDesk(name, address, port, new Fingerprint(fingerprint)));
    }
}
