package io.boltshuffle.cli.doctor.facts;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A neighbour cache entry of another machine whose hardware address is known, from {@code arp -an} or {@code ndp -an}.
 */
public record Neighbour(String address, String interfaceName) {

    private static final String HARDWARE_ADDRESS = "[0-9a-f]{1,2}(?::[0-9a-f]{1,2}){5}";
    private static final Pattern ARP =
            Pattern.compile("\\S+ \\(([0-9.]+)\\) at " + HARDWARE_ADDRESS + " on (\\S+)\\b(.*)");
    private static final Pattern NDP =
            Pattern.compile("([0-9a-f:]+)(?:%\\S+)?\\s+" + HARDWARE_ADDRESS + "\\s+(\\S+)\\s+(\\S+)\\s.*");

    /**
     * Parses the entries, without those that have no hardware address ("incomplete") or are the machine's own
     * ("permanent").
     */
    static List<Neighbour> parse(String arp, String ndp) {
        List<Neighbour> neighbours = new ArrayList<>();
        arp.lines().map(ARP::matcher).filter(Matcher::matches).forEach(entry -> {
            if (!entry.group(3).contains("permanent")) {
                neighbours.add(new Neighbour(entry.group(1), entry.group(2)));
            }
        });
        ndp.lines().map(NDP::matcher).filter(Matcher::matches).forEach(entry -> {
            if (!entry.group(3).equals("permanent")) {
                neighbours.add(new Neighbour(entry.group(1), entry.group(2)));
            }
        });
        return neighbours;
    }
}
