package io.boltshuffle.cli.doctor.facts;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A network interface, from {@code ifconfig -a} (macOS) or {@code ip -o addr} (Linux). */
public record NetworkInterface(
        String name, boolean up, List<Ipv4Network> ipv4, List<String> linkLocal, List<String> members) {

    private static final Pattern HEADER = Pattern.compile("([a-z]+[0-9]+): flags=[0-9a-f]+<([A-Z0-9,_]*)>.*");
    private static final Pattern INET = Pattern.compile("\\s+inet (\\S+) netmask 0x([0-9a-f]{8})\\b.*");
    private static final Pattern INET6 = Pattern.compile("\\s+inet6 (fe[89ab][0-9a-f]:[0-9a-f:]*).*");
    private static final Pattern MEMBER = Pattern.compile("\\s+member: (\\S+) .*");
    private static final Pattern IP_ONELINE = Pattern.compile("\\d+: (\\S+)\\s+inet6? (\\S+)/(\\d{1,3}) .*");

    public NetworkInterface {
        ipv4 = List.copyOf(ipv4);
        linkLocal = List.copyOf(linkLocal);
        members = List.copyOf(members);
    }

    static List<NetworkInterface> parseIfconfig(String ifconfig) {
        List<NetworkInterface> interfaces = new ArrayList<>();
        @Nullable Builder current = null;
        for (String line : ifconfig.lines().toList()) {
            Matcher header = HEADER.matcher(line);
            if (header.matches()) {
                addTo(interfaces, current);
                current = new Builder(
                        header.group(1), List.of(header.group(2).split(",", -1)).contains("UP"));
            } else if (current != null) {
                current.read(line);
            }
        }
        addTo(interfaces, current);
        return interfaces;
    }

    static List<NetworkInterface> parseIpOneline(String ipAddr) {
        List<NetworkInterface> interfaces = new ArrayList<>();
        for (String line : ipAddr.lines().toList()) {
            Matcher matcher = IP_ONELINE.matcher(line);
            if (matcher.matches()) {
                Builder one = new Builder(matcher.group(1), true);
                Ipv4Network.of(matcher.group(2), Integer.parseInt(matcher.group(3)))
                        .ifPresent(one.ipv4::add);
                if (matcher.group(2).toLowerCase(Locale.ROOT).startsWith("fe80:")) {
                    one.linkLocal.add(matcher.group(2));
                }
                addTo(interfaces, one);
            }
        }
        return interfaces;
    }

    public boolean hasAnyAddress() {
        return !ipv4.isEmpty() || !linkLocal.isEmpty();
    }

    private static void addTo(List<NetworkInterface> interfaces, @Nullable Builder builder) {
        if (builder != null) {
            interfaces.add(builder.build());
        }
    }

    /** Collects one interface while its lines are read. */
    private static final class Builder {
        private final String name;
        private final boolean up;
        private final List<Ipv4Network> ipv4 = new ArrayList<>();
        private final List<String> linkLocal = new ArrayList<>();
        private final List<String> members = new ArrayList<>();

        Builder(String name, boolean up) {
            this.name = name;
            this.up = up;
        }

        void read(String line) {
            Matcher inet = INET.matcher(line);
            Matcher inet6 = INET6.matcher(line);
            Matcher member = MEMBER.matcher(line);
            if (inet.matches()) {
                prefix(inet.group(2))
                        .flatMap(prefix -> Ipv4Network.of(inet.group(1), prefix))
                        .ifPresent(ipv4::add);
            } else if (inet6.matches()) {
                linkLocal.add(inet6.group(1));
            } else if (member.matches()) {
                members.add(member.group(1));
            }
        }

        NetworkInterface build() {
            return new NetworkInterface(name, up, ipv4, linkLocal, members);
        }

        private static Optional<Integer> prefix(String hexMask) {
            int mask = Integer.parseUnsignedInt(hexMask, 16);
            int ones = Integer.numberOfLeadingZeros(~mask);
            return Integer.bitCount(mask) == ones ? Optional.of(ones) : Optional.empty();
        }
    }
}
