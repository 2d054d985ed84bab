package io.boltshuffle.proof.bench.network;

import io.boltshuffle.cli.savings.model.Network;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The Macs that a benchmark means, in a user's words: {@code mac:14c,10g}.
 *
 * @param cores of each
 * @param network between them, besides the cables
 */
public record Desk(int cores, DeskNetwork network) {
    private static final Pattern TEXT = Pattern.compile("mac:(\\d{1,3})c,(\\S+)");

    /**
     * Returns the network of hosts that have fewer cores: network and cables are as much narrower as the hosts are
     * smaller.
     */
    HeldNetwork scaledTo(int hostCores, int mtuBytes) {
        double scale = hostCores / (double) cores;
        Bandwidth cable = Bandwidth.ofGigabytes(Network.CABLE_GIGABYTES_PER_SECOND);
        Bandwidth networkHere = network.bandwidth().times(scale);
        Bandwidth cableHere = cable.times(scale);
        return new HeldNetwork(
                "like Macs of " + cores + " cores with " + network.title() + " and a Thunderbolt 5 cable",
                networkHere,
                Optional.of(cableHere),
                mtuBytes,
                scale,
                String.format(
                        Locale.ROOT,
                        "A host here has %d of the %d cores of such a Mac, so both are held to %.4f of their rates: "
                                + "the network from %s (%s) to %s, a cable from %s (%s) to %s. Assumed: a core here is "
                                + "as fast as theirs; round trips are this machine's.",
                        hostCores,
                        cores,
                        scale,
                        network.bandwidth(),
                        network.source(),
                        networkHere,
                        cable,
                        "checked stream with a copy at the receiver, the lower of 6.4 to 6.9",
                        cableHere));
    }

    /** Returns the words of the command line. */
    @Override
    public String toString() {
        return "mac:" + cores + "c," + network;
    }

    /** Converts for picocli. */
    public static final class Converter implements ITypeConverter<Desk> {
        @Override
        public Desk convert(String text) {
            Matcher matcher = TEXT.matcher(text);
            if (!matcher.matches()) {
                throw notADesk(text);
            }
            int cores = Integer.parseInt(matcher.group(1));
            DeskNetwork network = DeskNetwork.of(matcher.group(2)).orElseThrow(() -> notADesk(text));
            if (cores == 0) {
                throw notADesk(text);
            }
            return new Desk(cores, network);
        }

        private static TypeConversionException notADesk(String text) {
            return new TypeConversionException(
                    "'" + text + "' is no Mac with cores and a network such as mac:14c,10g; networks are 1g, 2.5g, 10g "
                            + "and bridge");
        }
    }
}
