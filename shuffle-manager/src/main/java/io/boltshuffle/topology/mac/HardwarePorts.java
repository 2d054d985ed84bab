package io.boltshuffle.topology.mac;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Maps a Mac's ports to network interfaces, as {@code networksetup -listallhardwareports} lists them.
 *
 * @param interfaces for example "Thunderbolt 3" to "en5"
 */
public record HardwarePorts(Map<String, String> interfaces) {

    private static final Pattern PORT = Pattern.compile("Hardware Port: (.+)\\RDevice: (\\S+)");

    public HardwarePorts {
        interfaces = Collections.unmodifiableMap(new LinkedHashMap<>(interfaces));
    }

    /** Returns the ports that it recognises, in the order of the text. */
    public static HardwarePorts parse(String networksetup) {
        Map<String, String> interfaces = new LinkedHashMap<>();
        Matcher matcher = PORT.matcher(networksetup);
        while (matcher.find()) {
            interfaces.putIfAbsent(matcher.group(1).strip(), matcher.group(2));
        }
        return new HardwarePorts(interfaces);
    }

    /** Returns the interface of a Thunderbolt receptacle. */
    public Optional<String> interfaceOf(ThunderboltPort port) {
        return Optional.ofNullable(interfaces.get("Thunderbolt " + port.receptacle()));
    }
}
