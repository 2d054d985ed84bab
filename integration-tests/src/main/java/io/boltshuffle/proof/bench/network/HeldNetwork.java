package io.boltshuffle.proof.bench.network;

import io.boltshuffle.cli.base.Report;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The rates to which the network between hosts, and the virtual cables, are held.
 *
 * @param network of each host's port, in each direction
 * @param cable of each virtual cable, in each direction; empty if cables are not held
 * @param mtuBytes of the hosts' interfaces
 * @param scale of the rates to those of the machines that are meant; 1 where none are
 * @param basis where the rates are from, and what is assumed
 */
public record HeldNetwork(
        String title, Bandwidth network, Optional<Bandwidth> cable, int mtuBytes, double scale, String basis) {

    /** Rates that the user gave for this machine. */
    static HeldNetwork of(Bandwidth network, Optional<Bandwidth> cable, int mtuBytes) {
        String cables = cable.map(rate -> "cables of " + rate).orElse("cables as fast as this machine copies");
        return new HeldNetwork(
                "of " + network + ", " + cables, network, cable, mtuBytes, 1, "The rates are as given, not scaled.");
    }

    /** Returns the rate of virtual cables; 0 if they are not held. */
    long cableBytesPerSecond() {
        return cable.map(Bandwidth::bytesPerSecond).orElse(0L);
    }

    /** Returns what a table has to say at its head. */
    String toText() {
        return "network: " + title + ", MTU " + mtuBytes + ". " + basis;
    }

    /** Returns the same of a network that may not be held: the loopback network then. */
    private static String toText(Optional<HeldNetwork> network) {
        return network.map(HeldNetwork::toText)
                .orElse("network: loopback, and cables as fast as this machine copies: wider next to its cores than "
                        + "any of a desk.");
    }

    /** Tells a report what the network was held to, if it was. */
    public static void tell(Optional<HeldNetwork> network, Report report) {
        report.line(toText(network));
        network.ifPresent(held -> report.figure("network", held.toJson()));
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("title", title);
        json.put("networkBytesPerSecond", network.bytesPerSecond());
        cable.ifPresent(rate -> json.put("cableBytesPerSecond", rate.bytesPerSecond()));
        json.put("mtuBytes", mtuBytes);
        json.put("scale", scale);
        json.put("basis", basis);
        return json;
    }
}
