package io.boltshuffle.topology.mac;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One Thunderbolt receptacle of a Mac, from {@code system_profiler SPThunderboltDataType -json}.
 *
 * @param receptacle the number that {@code networksetup} calls "Thunderbolt N"; 0 if unknown
 * @param gigabits the speed in Gb/s of the link if something is connected, or else of the port; 0 if unknown
 * @param peer the Mac at the other end of the cable, if there is one
 */
public record ThunderboltPort(
        int receptacle, String domainUuid, int gigabits, boolean connected, Optional<ThunderboltPeer> peer) {

    /** A Thunderbolt 5 port or link reports 80 or 120; a Thunderbolt 4 one reports 40. */
    public static final int THUNDERBOLT_5_GIGABITS = 80;

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern SPEED = Pattern.compile("(\\d{1,4}) Gb/s");
    private static final String RDMA_SERVICE_KEY = "rdma";
    private static final int RDMA_PROTOCOL = 64087;

    /** Returns the ports that it recognises, in the order of receptacles; none for a text of another kind. */
    public static List<ThunderboltPort> parse(String json) {
        List<ThunderboltPort> ports = new ArrayList<>();
        try {
            for (JsonNode bus : MAPPER.readTree(json).path("SPThunderboltDataType")) {
                port(bus).ifPresent(ports::add);
            }
        } catch (JsonProcessingException notJson) {
            return List.of();
        }
        ports.sort(Comparator.comparingInt(ThunderboltPort::receptacle));
        return ports;
    }

    /** Returns true if the port or its link is as fast as RDMA needs. */
    public boolean isFast() {
        return gigabits >= THUNDERBOLT_5_GIGABITS;
    }

    /** Returns true if it is known to be slower than RDMA needs. Devices are listed for such ports, too. */
    public boolean isSlow() {
        return gigabits > 0 && !isFast();
    }

    private static Optional<ThunderboltPort> port(JsonNode bus) {
        String domain = uuid(bus);
        for (Map.Entry<String, JsonNode> field : bus.properties()) {
            if (domain.isEmpty() || !field.getKey().matches("receptacle_\\d{1,3}_tag")) {
                continue;
            }
            JsonNode tag = field.getValue();
            String status = tag.path("receptacle_status_key").asText();
            Matcher speed = SPEED.matcher(tag.path("current_speed_key").asText());
            return Optional.of(new ThunderboltPort(
                    tag.path("receptacle_id_key").asInt(),
                    domain,
                    speed.find() ? Integer.parseInt(speed.group(1)) : 0,
                    status.contains("connected") && !status.contains("no_devices"),
                    peer(bus.path("_items"), "")));
        }
        return Optional.empty();
    }

    /**
     * Finds the Mac. A Mac has a Thunderbolt domain of its own; a dock or a display has none, and what is plugged into
     * it is nested in it.
     */
    private static Optional<ThunderboltPeer> peer(JsonNode items, String behind) {
        for (JsonNode item : items) {
            String domain = uuid(item);
            if (!domain.isEmpty()) {
                return Optional.of(new ThunderboltPeer(item.path("_name").asText(), domain, service(item), behind));
            }
        }
        for (JsonNode item : items) {
            Optional<ThunderboltPeer> nested =
                    peer(item.path("_items"), item.path("_name").asText("a dock or hub"));
            if (nested.isPresent()) {
                return nested;
            }
        }
        return Optional.empty();
    }

    private static ThunderboltPeer.RdmaService service(JsonNode peer) {
        JsonNode services = peer.path("services_title");
        if (services.isMissingNode()) {
            return ThunderboltPeer.RdmaService.UNKNOWN;
        }
        for (JsonNode service : services) {
            for (JsonNode value : service) {
                if (value.asText().equals(RDMA_SERVICE_KEY) || value.asInt() == RDMA_PROTOCOL) {
                    return ThunderboltPeer.RdmaService.OFFERED;
                }
            }
        }
        return ThunderboltPeer.RdmaService.NOT_OFFERED;
    }

    private static String uuid(JsonNode node) {
        return node.path("domain_uuid_key").asText().strip().toUpperCase(Locale.ROOT);
    }
}
