package io.boltshuffle.proof.bench.network;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.cluster.HostNetwork;
import io.boltshuffle.conf.Options;
import io.boltshuffle.os.ProcessTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Hosts in network namespaces of their own, joined by a switch in another one, or two joined by nothing but a pair of
 * interfaces. Each host has a port of the switch, held to the rate of the network in both directions; a host's traffic
 * with itself is not held, nor is that of a pair. Master and drivers are on the first host, as on a desk.
 *
 * <p><b>Invariant:</b> a namespace whose name has the number of a living process belongs to it; any other is a
 * leftover, which the next network removes together with the processes in it.
 *
 * <p><b>Ownership:</b> {@link #remove} ends what is in the namespaces and removes them.
 */
public final class Namespaces implements HostNetwork {
    /**
     * The first bytes of addresses that RFC 2544 sets aside for benchmarks: no network that a machine is on has them.
     */
    private static final String NETWORK = "198.18.0.";

    private static final int FIRST_HOST = 2;
    private static final String DIRECTORY = "/var/run/netns/";
    public static final String DEVICE = "eth0";

    private static final int ETHERNET_MTU_BYTES = 1500;
    /**
     * The offloads, by ethtool's names: sums, several pieces of memory in a packet, and packets larger than the
     * interface's.
     */
    private static final List<String> OFFLOADS = List.of("rx", "tx", "sg", "tso", "gso", "gro");

    private static final Pattern NAME = Pattern.compile("bolt-(\\d{1,10})-\\S+");
    private static final AtomicInteger MADE = new AtomicInteger();

    /** The least bytes that a port may send at once: more than the largest packet that TCP gives to an interface. */
    private static final long LEAST_BURST_BYTES = 128L << 10;

    private static final double BURST_SECONDS = 0.002;

    /** The length of the queue at a port of a switch, in seconds of sending; packets beyond it are dropped. */
    private static final double QUEUE_SECONDS = 0.02;

    private static final long LEAST_QUEUE_BYTES = 512L << 10;

    private final String prefix;
    private final int count;
    private final int mtuBytes;
    private final SystemTool system;

    private Namespaces(int count, int mtuBytes, SystemTool system) {
        this.prefix = "bolt-" + ProcessHandle.current().pid() + "-" + MADE.incrementAndGet() + "-";
        this.count = count;
        this.mtuBytes = mtuBytes;
        this.system = system;
    }

    /**
     * Makes a network, after removing those of processes that have ended.
     *
     * @throws BoltException if this machine cannot have one; nothing is left then
     */
    static Namespaces make(int hosts, HeldNetwork held, SystemTool system) {
        Namespaces made = new Namespaces(hosts, held.mtuBytes(), system);
        return made.orNothing(
                () -> {
                    made.makeSwitch();
                    IntStream.range(0, hosts).forEach(index -> made.makeHost(index, held.network()));
                },
                "run this as root on Linux with iproute2 and a kernel that has veth, bridge and tbf, or leave out"
                        + " --like and --network");
    }

    /**
     * Makes two hosts that a pair of interfaces joins, as fast as the kernel is.
     *
     * @param offloads whether the kernel may hand packets over that are larger than the interface's, and without sums
     * @throws BoltException if this machine cannot have it; nothing is left then
     */
    static Namespaces makePair(int mtuBytes, boolean offloads, SystemTool system) {
        Namespaces made = new Namespaces(2, mtuBytes, system);
        return made.orNothing(
                () -> made.makePair(offloads),
                "run this as root on Linux with iproute2" + (offloads ? "" : ", ethtool")
                        + " and a kernel that has veth");
    }

    /**
     * Makes hosts on a switch that is hardly slower than the kernel, by the system's own tools.
     *
     * @throws BoltException if this machine cannot have them; nothing is left then
     */
    public static Namespaces onSwitch(int hosts) {
        HeldNetwork fast = HeldNetwork.of(Bandwidth.ofGigabits(10), Optional.empty(), ETHERNET_MTU_BYTES);
        return make(hosts, fast, SystemTool.OF_SYSTEM);
    }

    private Namespaces orNothing(Runnable making, String remedy) {
        try {
            removeLeftovers();
            making.run();
            return this;
        } catch (BoltException e) {
            removeQuietly(e);
            throw BoltException.environment(
                    "the hosts cannot have a network of their own (" + e.getMessage() + ")", remedy);
        }
    }

    /** Makes a network of one host, and removes it, to find out at once what is missing. */
    static void requirePossible(HeldNetwork held, SystemTool system) {
        make(1, held, system).remove();
    }

    @Override
    public List<String> hosts() {
        return IntStream.range(0, count).mapToObj(Namespaces::address).toList();
    }

    @Override
    public String driver() {
        return address(0);
    }

    /** The program replaces {@code nsenter}, so the process started is the program's. */
    @Override
    public ProcessBuilder on(String host, ProcessBuilder process) {
        int index = hosts().indexOf(host);
        if (index < 0) {
            throw new IllegalArgumentException("no host is " + host);
        }
        List<String> words = new ArrayList<>(List.of("nsenter", "--net=" + DIRECTORY + host(index)));
        words.addAll(process.command());
        return process.command(words);
    }

    /** Every port of a new namespace is free. */
    @Override
    public int freePort() {
        return Options.AGENT_PORT.defaultValue();
    }

    /** Ends what still runs on the hosts, and removes them with their interfaces. */
    public void remove() {
        namespaces().stream().filter(name -> name.startsWith(prefix)).forEach(this::remove);
    }

    private void removeQuietly(BoltException because) {
        try {
            remove();
        } catch (BoltException e) {
            because.addSuppressed(e);
        }
    }

    private void removeLeftovers() {
        namespaces().stream().filter(Namespaces::isLeftover).forEach(this::removeLeftover);
    }

    /** Another command may be removing it, too. */
    private void removeLeftover(String namespace) {
        try {
            remove(namespace);
        } catch (BoltException e) {
            if (namespaces().contains(namespace)) {
                throw e;
            }
        }
    }

    static boolean isLeftover(String namespace) {
        Matcher matcher = NAME.matcher(namespace);
        return matcher.matches()
                && ProcessHandle.of(Long.parseLong(matcher.group(1)))
                        .filter(ProcessTree::isAlive)
                        .isEmpty();
    }

    private void remove(String namespace) {
        List<ProcessHandle> inside = ip("netns", "pids", namespace)
                .lines()
                .map(line -> ProcessHandle.of(Long.parseLong(line.strip())))
                .flatMap(Optional::stream)
                .toList();
        if (!inside.isEmpty()) {
            ProcessTree.end(inside, ProcessTree.GRACE);
        }
        ip("netns", "delete", namespace);
    }

    private List<String> namespaces() {
        // A line is a name, and for some namespaces a number in brackets.
        return ip("netns", "list").lines().map(line -> line.split(" ", 2)[0]).toList();
    }

    private void makeSwitch() {
        ip("netns", "add", theSwitch());
        ip("-n", theSwitch(), "link", "add", "switch", "mtu", mtu(), "type", "bridge");
        ip("-n", theSwitch(), "link", "set", "switch", "up");
    }

    private void makePair(boolean offloads) {
        IntStream.range(0, count).forEach(index -> ip("netns", "add", host(index)));
        join(host(0), DEVICE, host(1), DEVICE);
        if (!offloads) {
            IntStream.range(0, count).forEach(this::endOffloads);
        }
        IntStream.range(0, count).forEach(this::bringUp);
    }

    private void makeHost(int index, Bandwidth rate) {
        String host = host(index);
        String port = "port" + index;
        ip("netns", "add", host);
        join(host, DEVICE, theSwitch(), port);
        hold(theSwitch(), port, rate);
        hold(host, DEVICE, rate);
        ip("-n", theSwitch(), "link", "set", port, "master", "switch", "up");
        bringUp(index);
    }

    /** Makes a pair of interfaces. */
    private void join(String namespace, String device, String peersNamespace, String peer) {
        ip(
                "link",
                "add",
                "name",
                device,
                "mtu",
                mtu(),
                "netns",
                namespace,
                "type",
                "veth",
                "peer",
                "name",
                peer,
                "mtu",
                mtu(),
                "netns",
                peersNamespace);
    }

    private void bringUp(int index) {
        ip("-n", host(index), "address", "add", address(index) + "/24", "dev", DEVICE);
        ip("-n", host(index), "link", "set", DEVICE, "up");
        ip("-n", host(index), "link", "set", "lo", "up");
    }

    /** Makes the kernel cut what TCP sends to packets of the interface's size and sum each before it sends them. */
    private void endOffloads(int index) {
        List<String> command =
                new ArrayList<>(List.of("nsenter", "--net=" + DIRECTORY + host(index), "ethtool", "-K", DEVICE));
        OFFLOADS.forEach(offload -> command.addAll(List.of(offload, "off")));
        system.run(command);
    }

    /** Holds what leaves an interface to the rate. */
    private void hold(String namespace, String device, Bandwidth rate) {
        double bytesPerSecond = rate.bytesPerSecond();
        long burst = Math.max(LEAST_BURST_BYTES, (long) (bytesPerSecond * BURST_SECONDS));
        long queue = Math.max(LEAST_QUEUE_BYTES, (long) (bytesPerSecond * QUEUE_SECONDS));
        system.run(List.of(
                "tc",
                "-n",
                namespace,
                "qdisc",
                "add",
                "dev",
                device,
                "root",
                "tbf",
                "rate",
                Math.round(rate.bitsPerSecond()) + "bit",
                "burst",
                Long.toString(burst),
                "limit",
                Long.toString(burst + queue)));
    }

    private String ip(String... words) {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(words));
        return system.run(command);
    }

    private String theSwitch() {
        return prefix + "switch";
    }

    private String host(int index) {
        return prefix + index;
    }

    private String mtu() {
        return Integer.toString(mtuBytes);
    }

    private static String address(int index) {
        return NETWORK + (FIRST_HOST + index);
    }
}
