package io.boltshuffle.cli.doctor.facts;

import io.boltshuffle.cli.doctor.probe.Evidence;
import io.boltshuffle.cli.doctor.probe.Outcome;
import io.boltshuffle.cli.doctor.probe.ProbeCommand;
import io.boltshuffle.os.OperatingSystem;
import io.boltshuffle.topology.mac.HardwarePorts;
import io.boltshuffle.topology.mac.ThunderboltPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The known facts of one host; unknown ones are empty. Facts that are used often are parsed once, the others on
 * request.
 */
public final class HostFacts {

    private static final Pattern SLEEP = Pattern.compile("(?m)^\\s*sleep\\s+(\\d{1,6})\\b");
    private static final String UNKNOWN_NAME = "unknown ";
    private static final Pattern LISTED_DEVICE = Pattern.compile("(?m)^\\s*(\\S+)\\s+[0-9a-f]{16}\\s*$");

    private final Evidence evidence;
    private final List<ThunderboltPort> thunderboltPorts;
    private final HardwarePorts hardwarePorts;
    private final List<NetworkInterface> interfaces;
    private final List<VerbsDevice> verbsDevices;

    public HostFacts(Evidence evidence) {
        this.evidence = evidence;
        this.thunderboltPorts = List.copyOf(ThunderboltPort.parse(evidence.text(ProbeCommand.THUNDERBOLT)));
        this.hardwarePorts = HardwarePorts.parse(evidence.text(ProbeCommand.HARDWARE_PORTS));
        this.interfaces = List.copyOf(
                evidence.platform() == OperatingSystem.LINUX
                        ? NetworkInterface.parseIpOneline(evidence.text(ProbeCommand.IP_ADDRESSES))
                        : NetworkInterface.parseIfconfig(evidence.text(ProbeCommand.IFCONFIG)));
        this.verbsDevices = List.copyOf(VerbsDevice.parse(evidence.text(ProbeCommand.IBV_DEVINFO)));
    }

    public String host() {
        return evidence.host();
    }

    public Evidence evidence() {
        return evidence;
    }

    public OperatingSystem platform() {
        return evidence.platform();
    }

    public Optional<MacOsVersion> macOs() {
        return MacOsVersion.parse(evidence.text(ProbeCommand.SW_VERS));
    }

    public MacHardware hardware() {
        return MacHardware.parse(evidence.text(ProbeCommand.HARDWARE));
    }

    public RdmaFlag rdmaFlag() {
        return RdmaFlag.parse(evidence.text(ProbeCommand.RDMA_FLAG));
    }

    public List<ThunderboltPort> thunderboltPorts() {
        return thunderboltPorts;
    }

    /** Returns a map of, for example, "Thunderbolt 3" to "en5". */
    public Map<String, String> hardwarePorts() {
        return hardwarePorts.interfaces();
    }

    /** Returns the network interface of a Thunderbolt receptacle. */
    public Optional<String> interfaceOf(ThunderboltPort port) {
        return hardwarePorts.interfaceOf(port);
    }

    public List<NetworkInterface> interfaces() {
        return interfaces;
    }

    public Optional<NetworkInterface> networkInterface(String name) {
        return interfaces.stream().filter(one -> one.name().equals(name)).findFirst();
    }

    /** Returns the devices that {@code ibv_devices} lists, which opens none. */
    public List<String> listedDevices() {
        List<String> names = new ArrayList<>();
        Matcher matcher = LISTED_DEVICE.matcher(evidence.text(ProbeCommand.IBV_DEVICES));
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    public List<VerbsDevice> verbsDevices() {
        return verbsDevices;
    }

    public Optional<VerbsDevice> verbsDevice(String name) {
        return verbsDevices.stream()
                .filter(device -> device.name().equals(name))
                .findFirst();
    }

    /** Returns true if listing or opening verbs devices hung. */
    public boolean verbsHang() {
        return evidence.outcome(ProbeCommand.IBV_DEVICES).is(Outcome.Ending.HUNG)
                || evidence.outcome(ProbeCommand.IBV_DEVINFO).is(Outcome.Ending.HUNG);
    }

    public List<Neighbour> neighbours() {
        return Neighbour.parse(evidence.text(ProbeCommand.ARP), evidence.text(ProbeCommand.NDP));
    }

    public List<ProcessState> stuckProcesses() {
        return ProcessState.stuck(evidence.text(ProbeCommand.PROCESSES), evidence.text(ProbeCommand.PROCESSES_AGAIN));
    }

    /** Returns the minutes until the machine sleeps by itself; 0 means never. */
    public OptionalInt sleepMinutes() {
        Matcher matcher = SLEEP.matcher(evidence.text(ProbeCommand.POWER));
        return matcher.find() ? KeyValues.integer(matcher.group(1)) : OptionalInt.empty();
    }

    public Firewall firewall() {
        return Firewall.parse(evidence.text(ProbeCommand.FIREWALL));
    }

    /** Returns what the host calls itself, without its domain; empty if the doctor did not look. */
    public Optional<String> hostname() {
        String name = evidence.text(ProbeCommand.HOSTNAME).strip().split("\\.", 2)[0];
        return name.matches("[A-Za-z0-9_-]+") ? Optional.of(name) : Optional.empty();
    }

    /** Returns the host's own name if the host itself cannot resolve it. */
    public Optional<String> unresolvableName() {
        String text = evidence.text(ProbeCommand.OWN_NAME).strip();
        return text.startsWith(UNKNOWN_NAME) ? Optional.of(text.substring(UNKNOWN_NAME.length())) : Optional.empty();
    }

    public Optional<JavaVersion> java() {
        return JavaVersion.parse(evidence.text(ProbeCommand.JAVA));
    }

    public Optional<SparkHome> spark() {
        return SparkHome.parse(evidence.text(ProbeCommand.SPARK));
    }

    /** Returns what the host's Spark is told about memory and shuffles; empty if the doctor did not look. */
    public Optional<SparkConfFacts> sparkSettings() {
        return evidence.outcome(ProbeCommand.SPARK_SETTINGS).text().flatMap(SparkConfFacts::parse);
    }

    /** Returns the traces of an agent; empty if the doctor did not look for one. */
    public Optional<AgentPresence> agent() {
        return evidence.outcome(ProbeCommand.AGENT)
                .text()
                .map(agent -> AgentPresence.parse(agent, evidence.text(ProbeCommand.LISTENING)));
    }

    public Optional<FileSystem> disk() {
        return FileSystem.parse(evidence.text(ProbeCommand.DISK));
    }

    public Optional<FileSystem> sharedMemory() {
        return FileSystem.parse(evidence.text(ProbeCommand.SHARED_MEMORY));
    }

    /** Returns the limit on locked memory; {@code Long.MAX_VALUE} if there is none. */
    public OptionalLong lockedMemoryBytes() {
        String text = evidence.text(ProbeCommand.MEMLOCK).strip();
        if (text.equals("unlimited")) {
            return OptionalLong.of(Long.MAX_VALUE);
        }
        OptionalLong kib = KeyValues.longInteger(text);
        return kib.isPresent() && kib.getAsLong() >= 0 && kib.getAsLong() < Long.MAX_VALUE / 1024
                ? OptionalLong.of(kib.getAsLong() * 1024)
                : OptionalLong.empty();
    }

    /** Returns the device files of user-space verbs that this user may not open. */
    public List<String> closedDeviceFiles() {
        return evidence.text(ProbeCommand.UVERBS_RIGHTS)
                .lines()
                .filter(line -> line.startsWith("no "))
                .map(line -> line.substring("no ".length()))
                .toList();
    }

    /**
     * Returns the first address of an interface that is not one of the given ones; control connections would use it.
     */
    public Optional<Ipv4Network> controlAddress(List<String> exceptInterfaces) {
        return interfaces.stream()
                .filter(one ->
                        !exceptInterfaces.contains(one.name()) && one.members().isEmpty())
                .flatMap(one -> one.ipv4().stream())
                .filter(address -> !address.isLoopback() && !address.isSelfAssigned())
                .findFirst();
    }
}
