package io.boltshuffle.topology.mac;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Maps a Mac's RDMA devices to Thunderbolt ports: a device has the name of its port's network interface.
 *
 * @param ports by the name of the device, such as rdma_en5
 */
public record ThunderboltDevices(Map<String, ThunderboltPort> ports) {
    private static final String DEVICE_PREFIX = "rdma_";

    /** Knows no port, so it refuses none. */
    public static final ThunderboltDevices NONE = new ThunderboltDevices(Map.of());

    /** The command that tells the ports. */
    public static final List<String> PORTS = List.of("system_profiler", "SPThunderboltDataType", "-json");

    /** The command that tells their interfaces. */
    public static final List<String> INTERFACES = List.of("networksetup", "-listallhardwareports");

    public ThunderboltDevices {
        ports = Map.copyOf(ports);
    }

    /** Returns the devices that it recognises in what {@link #PORTS} and {@link #INTERFACES} print. */
    public static ThunderboltDevices parse(String systemProfiler, String networksetup) {
        HardwarePorts interfaces = HardwarePorts.parse(networksetup);
        Map<String, ThunderboltPort> ports = new HashMap<>();
        for (ThunderboltPort port : ThunderboltPort.parse(systemProfiler)) {
            interfaces.interfaceOf(port).ifPresent(name -> ports.put(DEVICE_PREFIX + name, port));
        }
        return new ThunderboltDevices(ports);
    }

    /**
     * Returns why no verb may be called on a device, if so: the driver of a port that is slower than RDMA needs is
     * known to crash the process that opens it.
     */
    public Optional<String> refusal(String device) {
        return Optional.ofNullable(ports.get(device))
                .filter(ThunderboltPort::isSlow)
                .map(port -> device + " has a port or link of " + port.gigabits() + " Gb/s, and RDMA needs "
                        + ThunderboltPort.THUNDERBOLT_5_GIGABITS);
    }
}
