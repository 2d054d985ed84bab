package io.boltshuffle.cli.doctor.fabric;

import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.NetworkInterface;
import io.boltshuffle.cli.doctor.facts.VerbsDevice;
import io.boltshuffle.topology.DeviceName;
import io.boltshuffle.topology.Port;
import io.boltshuffle.topology.mac.ThunderboltPort;
import java.util.Optional;

/** A Thunderbolt port with a cable in it, on a host whose facts are known. */
public record CableEnd(HostFacts facts, ThunderboltPort port) {

    public String host() {
        return facts.host();
    }

    public Optional<String> interfaceName() {
        return facts.interfaceOf(port);
    }

    public Optional<NetworkInterface> networkInterface() {
        return interfaceName().flatMap(facts::networkInterface);
    }

    public Optional<VerbsDevice> device() {
        return interfaceName().flatMap(name -> facts.verbsDevice("rdma_" + name));
    }

    /** Returns the port by its RDMA device name, if its interface has a name of the form that macOS uses. */
    public Optional<Port> topologyPort() {
        return interfaceName()
                .filter(name -> DeviceName.isDeviceName("rdma_" + name))
                .map(name -> new Port(host(), DeviceName.ofInterface(name)));
    }

    /** Returns, for example, "port 3 (en5)". */
    public String label() {
        return "port " + port.receptacle() + " (" + interfaceName().orElse("no interface") + ")";
    }

    @Override
    public String toString() {
        return host() + " " + label();
    }
}
