package io.boltshuffle.proof.bench.network;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.Cabling;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.HostNetwork;
import io.boltshuffle.cli.job.JoinedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --like} and {@code --network}: how much the network between the hosts, and the cables, carry. */
public final class NetworkOptions {
    private static final int USUAL_MTU = 1500;
    private static final int JUMBO_MTU = 9000;

    @Option(
            names = "--like",
            paramLabel = "mac:CORESc,NETWORK",
            converter = Desk.Converter.class,
            description =
                    "Hold the network between the hosts, and the cables, to rates that are to a host's cores here what"
                            + " those of such Macs are to theirs. NETWORK is 1g, 2.5g, 10g or bridge (TCP over the"
                            + " Thunderbolt bridge); the cable is Thunderbolt 5. It needs root (default: the loopback"
                            + " network and cables as fast as this machine copies).")
    private @Nullable Desk desk;

    @Option(
            names = "--network",
            paramLabel = "RATE",
            converter = Bandwidth.Converter.class,
            description =
                    "The same with a rate of your choice in place of Macs', such as 71.4mbit; cables are held only "
                            + "with --cable-rate.")
    private @Nullable Bandwidth network;

    @Option(
            names = "--cable-rate",
            paramLabel = "RATE",
            converter = Bandwidth.Converter.class,
            description = "What each virtual cable carries in each direction; only with --network.")
    private @Nullable Bandwidth cable;

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            defaultValue = "1500",
            description = "Largest packet of that network, 1500 or 9000 (default: ${DEFAULT-VALUE}).")
    private int mtuBytes = USUAL_MTU;

    /**
     * Checks the options, and whether this machine can do what they ask for.
     *
     * @throws BoltException if not
     */
    public void check(ClusterSpec spec) {
        if (desk != null && network != null) {
            throw BoltException.usage("--like and --network exclude each other: --like says the network, too");
        }
        if (cable != null && network == null) {
            throw BoltException.usage("--cable-rate needs --network; with --like the cable is Thunderbolt 5");
        }
        if (mtuBytes != USUAL_MTU && mtuBytes != JUMBO_MTU) {
            throw BoltException.usage("--mtu is " + mtuBytes + "; it has to be 1500 or 9000");
        }
        held(spec).ifPresent(asked -> Namespaces.requirePossible(asked, SystemTool.OF_SYSTEM));
    }

    /** Returns the rates; empty for the loopback network and cables that are not held. */
    public Optional<HeldNetwork> held(ClusterSpec spec) {
        if (desk != null) {
            return Optional.of(desk.scaledTo(spec.coresPerHost(), mtuBytes));
        }
        return Optional.ofNullable(network).map(rate -> HeldNetwork.of(rate, Optional.ofNullable(cable), mtuBytes));
    }

    /**
     * Starts a cluster on the network. The run's teardown ends both.
     *
     * @param settings of the plugin, in place of those that agents get by default
     */
    public JoinedCluster start(ClusterRun run, ClusterSpec spec, CableKind cables, Map<String, String> settings) {
        Optional<HeldNetwork> held = held(spec);
        HostNetwork hosts =
                held.map(asked -> make(asked, run, spec)).orElseGet(() -> HostNetwork.loopback(spec.hosts()));
        long rate = held.map(HeldNetwork::cableBytesPerSecond).orElse(0L);
        return JoinedCluster.startAsUsersDo(run, spec, hosts, new Cabling(cables, 1, rate), settings);
    }

    private static HostNetwork make(HeldNetwork held, ClusterRun run, ClusterSpec spec) {
        run.console().line(held.toText());
        try {
            return run.teardown()
                    .open(() -> Namespaces.make(spec.hosts(), held, SystemTool.OF_SYSTEM), Namespaces::remove);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
