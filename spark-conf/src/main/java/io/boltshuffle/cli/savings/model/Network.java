package io.boltshuffle.cli.savings.model;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The network that carries blocks into a host.
 *
 * @param name as the command line has it
 * @param bytesPerSecond of payload, one way
 * @param source of the speed
 */
public record Network(String name, double bytesPerSecond, String source) {
    /** The lower of the speeds of TCP over Thunderbolt that were published, in GB/s. */
    public static final double BRIDGE_GIGABYTES_PER_SECOND = 3.1;

    /** A checked stream by RDMA with a copy at the receiver, the lower of the speeds that were published, in GB/s. */
    public static final double CABLE_GIGABYTES_PER_SECOND = 6.4;

    public static final Network ONE_GIGABIT = ethernet(1);
    public static final Network TWO_AND_A_HALF_GIGABIT = ethernet(2.5);

    /** The fastest Ethernet that a Mac comes with. */
    public static final Network TEN_GIGABIT = ethernet(10);

    public static final Network BRIDGE = new Network(
            "bridge", BRIDGE_GIGABYTES_PER_SECOND * 1e9, "TCP over Thunderbolt: 25 Gbit/s, the lower figure published");

    /** Hosts that are processes of one machine. Its memory is no limit that a cable could lift. */
    public static final Network LOOPBACK =
            new Network("loopback", Double.POSITIVE_INFINITY, "hosts of one machine: no network to be waited for");

    public static final Network THUNDERBOLT_5 = new Network(
            "tb5", CABLE_GIGABYTES_PER_SECOND * 1e9, "RDMA over Thunderbolt 5: the lower of 6.4 to 6.9 GB/s published");

    /** The networks with names, slowest first. */
    public static final List<Network> NETWORKS =
            List.of(ONE_GIGABIT, TWO_AND_A_HALF_GIGABIT, TEN_GIGABIT, BRIDGE, LOOPBACK);

    private static final double PAYLOAD = 0.94;
    private static final Pattern GIGABITS = Pattern.compile("(\\d{1,4}(?:\\.\\d{1,3})?)g");

    /** Returns the network of that name, or of so many gigabits per second, such as {@code 25g}. */
    public static Optional<Network> of(String text) {
        String name = text.toLowerCase(Locale.ROOT);
        for (Network network : NETWORKS) {
            if (network.name.equals(name)) {
                return Optional.of(network);
            }
        }
        if (name.equals(THUNDERBOLT_5.name)) {
            return Optional.of(THUNDERBOLT_5);
        }
        Matcher gigabits = GIGABITS.matcher(name);
        return gigabits.matches() && Double.parseDouble(gigabits.group(1)) > 0
                ? Optional.of(ethernet(Double.parseDouble(gigabits.group(1))))
                : Optional.empty();
    }

    /** Returns how long so many bytes take into one host, in seconds. */
    public double seconds(long bytes) {
        return (double) bytes / bytesPerSecond;
    }

    /** Returns this network, or one as fast as something that was seen on it. */
    Network atLeast(double seenBytesPerSecond) {
        return seenBytesPerSecond <= bytesPerSecond
                ? this
                : new Network(name, seenBytesPerSecond, "what a stage received was more than " + name + " carries");
    }

    private static Network ethernet(double gigabits) {
        String number = gigabits == Math.rint(gigabits) ? Long.toString((long) gigabits) : Double.toString(gigabits);
        return new Network(
                number + "g",
                gigabits * 1e9 / 8 * PAYLOAD,
                String.format(Locale.ROOT, "%.2f Gbit/s of payload; one port for all peers", gigabits * PAYLOAD));
    }
}
