package io.boltshuffle.agent.cable;

import io.boltshuffle.topology.mac.ThunderboltDevices;
import io.boltshuffle.topology.mac.ThunderboltPeer;
import io.boltshuffle.topology.mac.ThunderboltPort;
import io.boltshuffle.wire.PortName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * macOS: each Thunderbolt port has a domain of its own, and names the domain that it is cabled to. The formats are
 * known from documentation; no Mac has been asked yet.
 */
final class ThunderboltDomains implements PortSurvey {

    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private final Commands commands;

    ThunderboltDomains(Commands commands) {
        this.commands = commands;
    }

    @Override
    public View look() {
        return new Ports(ThunderboltDevices.parse(
                commands.output(PATIENCE, ThunderboltDevices.PORTS),
                commands.output(PATIENCE, ThunderboltDevices.INTERFACES)));
    }

    private record Ports(ThunderboltDevices devices) implements View {
        @Override
        public Behind port(PortName name) {
            ThunderboltPort port = devices.ports().get(name.device());
            return port == null
                    ? Behind.UNKNOWN
                    : new Behind(
                            port.domainUuid(),
                            port.peer().map(ThunderboltPeer::domainUuid).orElse(""),
                            List.of());
        }

        @Override
        public Optional<String> refusal(String device) {
            return devices.refusal(device);
        }
    }
}
