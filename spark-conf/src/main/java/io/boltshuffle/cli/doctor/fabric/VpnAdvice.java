package io.boltshuffle.cli.doctor.fabric;

import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.Ipv4Network;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Says which hosts' names lead to an address of a virtual private network. Agents and Spark then meet through it: what
 * does not go by RDMA is slow, and nothing works while the network is away.
 */
public final class VpnAdvice {
    private static final Pattern TUNNEL = Pattern.compile("(utun|tun|tap|wg|ppp|ipsec|tailscale|zt)\\w*");
    /** Carriers and Tailscale give out addresses of this network. */
    private static final Ipv4Network SHARED = Ipv4Network.of("100.64.0.0", 10).orElseThrow();

    private VpnAdvice() {}

    /** Returns one sentence for each such host. Names are looked up on this host. */
    public static List<String> of(List<HostFacts> hosts) {
        return of(hosts, VpnAdvice::lookUp);
    }

    /** @param addresses the IPv4 addresses to which a name leads */
    static List<String> of(List<HostFacts> hosts, Function<String, List<String>> addresses) {
        return hosts.stream()
                .flatMap(host -> addresses.apply(host.host()).stream()
                        .flatMap(address -> Ipv4Network.of(address, 32).stream())
                        .flatMap(address -> network(host, address).stream()
                                .map(network -> sentence(host.host(), address.dotted(), network)))
                        .limit(1))
                .toList();
    }

    private static String sentence(String host, String address, String network) {
        return "Warning: the name " + host + " leads to " + address + ", an address of a VPN (" + network
                + "). Use a name or an address of the local network, such as " + host + ".local, or the cluster's"
                + " traffic goes through the VPN.";
    }

    private static Optional<String> network(HostFacts host, Ipv4Network address) {
        Optional<String> tunnel = host.interfaces().stream()
                .filter(each -> TUNNEL.matcher(each.name()).matches())
                .filter(each -> each.ipv4().stream().anyMatch(own -> own.address() == address.address()))
                .map(each -> each.name())
                .findFirst();
        return tunnel.isPresent() || !SHARED.overlaps(address) ? tunnel : Optional.of(SHARED.toString());
    }

    private static List<String> lookUp(String host) {
        try {
            return Arrays.stream(InetAddress.getAllByName(host))
                    .map(InetAddress::getHostAddress)
                    .toList();
        } catch (UnknownHostException e) {
            return List.of(); // the doctor says so
        }
    }
}
