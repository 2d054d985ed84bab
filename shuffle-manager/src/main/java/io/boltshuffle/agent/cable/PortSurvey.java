package io.boltshuffle.agent.cable;

import io.boltshuffle.os.SystemCommand;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.PortName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The knowledge of the operating system about the other ends of this host's cables. Blocks; one thread at a time. */
interface PortSurvey {

    /** Runs commands that only read. */
    interface Commands {
        /**
         * Returns the text that a command printed; empty if the command is missing, fails, or takes longer than {@code
         * limit}.
         */
        String output(Duration limit, List<String> words);
    }

    /**
     * The facts about the other side of a port.
     *
     * @param domain identity of the Thunderbolt domain behind it; empty where there is none
     * @param attachedDomain identity of the domain at the other end of its cable; empty when unknown
     * @param neighbours link-local addresses that were seen at the other end
     */
    record Behind(String domain, String attachedDomain, List<Opaque> neighbours) {
        static final Behind UNKNOWN = new Behind("", "", List.of());
    }

    /** A picture of all ports, taken now. */
    interface View {
        Behind port(PortName port);

        /** Says why no verb may be called on a device, if so. */
        default Optional<String> refusal(String device) {
            return Optional.empty();
        }
    }

    View look();

    /** Those of this system, for ports whose cables no topology file tells. */
    static PortSurvey ofThisHost() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (system.startsWith("mac")) {
            return new ThunderboltDomains(SystemCommand::output);
        }
        return system.startsWith("linux")
                ? new LinkLocalNeighbours(SystemCommand::output, Path.of("/sys/class/infiniband"))
                : unknown();
    }

    /** Knows nothing. */
    static PortSurvey unknown() {
        return () -> port -> Behind.UNKNOWN;
    }
}
