package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.VerbsDevice;
import io.boltshuffle.cli.doctor.probe.Outcome;
import io.boltshuffle.cli.doctor.probe.ProbeCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Checks InfiniBand, RoCE or Soft-RoCE on Linux: devices, rights, ports, addresses, locked memory. */
final class LinuxVerbsCheck implements Check {

    private static final long LITTLE_LOCKED_BYTES = 1L << 30;

    @Override
    public List<Finding> on(Cluster cluster) {
        List<Finding> findings = new ArrayList<>();
        for (HostFacts host : cluster.linuxHosts()) {
            findings.add(devices(host));
            host.closedDeviceFiles().forEach(file -> findings.add(noRights(host, file)));
            host.verbsDevices().forEach(device -> findings.add(port(host, device)));
            if (!kernelDevices(host).isEmpty()) {
                lockedMemory(host, findings);
            }
        }
        return findings;
    }

    private static Finding devices(HostFacts host) {
        List<String> known =
                host.evidence().text(ProbeCommand.INFINIBAND_CLASS).lines().toList();
        if (host.verbsHang()) {
            return Finding.failure(
                    Cause.BUDGET_LEAKED,
                    host.host(),
                    new Finding.Problem(
                            "ibv_devices or ibv_devinfo did not come back",
                            "The verbs driver is stuck.",
                            "Look at dmesg for the driver's messages, then restart " + host.host() + "."));
        }
        if (known.isEmpty()) {
            return Finding.failure(
                    Cause.NO_VERBS_DEVICE,
                    host.host(),
                    new Finding.Problem(
                            "/sys/class/infiniband is empty or absent",
                            "The kernel knows no RDMA device; the shuffle goes by TCP.",
                            "Load the driver of the network card. Without such a card: 'bolt verify --virtual' and "
                                    + "'bolt demo' show RDMA over a virtual cable; or, with root, Soft-RoCE: sudo "
                                    + "modprobe rdma_rxe; sudo rdma link add rxe0 type rxe netdev DEV, DEV from 'ip "
                                    + "link'."));
        }
        if (host.evidence().outcome(ProbeCommand.IBV_DEVINFO).is(Outcome.Ending.RAN)
                && host.verbsDevices().isEmpty()
                && host.closedDeviceFiles().isEmpty()) {
            return Finding.failure(
                    Cause.NO_VERBS_DEVICE,
                    host.host(),
                    new Finding.Problem(
                            "the kernel has " + String.join(", ", known) + ", but ibv_devinfo sees none",
                            "The user-space part of the driver, or the module ib_uverbs, is missing.",
                            "sudo modprobe ib_uverbs; install the package with the providers (Debian: "
                                    + "ibverbs-providers; Fedora: libibverbs)."));
        }
        return Finding.ok(Cause.NO_VERBS_DEVICE, host.host(), String.join(", ", known));
    }

    private static List<String> kernelDevices(HostFacts host) {
        return host.evidence().text(ProbeCommand.INFINIBAND_CLASS).lines().toList();
    }

    private static Finding noRights(HostFacts host, String file) {
        return Finding.failure(
                Cause.NO_DEVICE_RIGHTS,
                host.host(),
                new Finding.Problem(
                        "this user may not open " + file,
                        "Without it the agent sees no device.",
                        "sudo usermod -a -G rdma $USER and log in again, or a udev rule: KERNEL==\"uverbs*\","
                                + " MODE=\"0666\"."));
    }

    private static Finding port(HostFacts host, VerbsDevice device) {
        String seen = device.name() + " is " + device.state() + " (" + device.linkLayer() + ")";
        if (!device.isActive()) {
            return Finding.failure(
                    Cause.PORT_DOWN,
                    host.host(),
                    new Finding.Problem(
                            seen,
                            "The port has no link, or on InfiniBand no subnet manager has configured it.",
                            "Bring its network interface up (ip link set DEV up); on InfiniBand run opensm."));
        }
        if (device.linkLayer().equals("Ethernet") && device.gids().stream().noneMatch(gid -> gid.contains("ffff:"))) {
            return Finding.warning(
                    Cause.NO_ADDRESS,
                    host.host(),
                    new Finding.Problem(
                            seen + ", with no IPv4 address among its GIDs",
                            "Peers with IPv4 addresses cannot be reached from it.",
                            "Give its network interface an IPv4 address (ip addr add ADDRESS/24 dev DEV)."));
        }
        return Finding.ok(Cause.PORT_DOWN, host.host(), seen);
    }

    private static void lockedMemory(HostFacts host, List<Finding> findings) {
        OptionalLong limit = host.lockedMemoryBytes();
        if (limit.isPresent() && limit.getAsLong() < LITTLE_LOCKED_BYTES) {
            findings.add(Finding.failure(
                    Cause.LOCKED_MEMORY,
                    host.host(),
                    new Finding.Problem(
                            "ulimit -l: " + (limit.getAsLong() >> 10) + " KiB",
                            "RDMA locks its buffers in memory; registering them fails under this limit (ENOMEM).",
                            "LimitMEMLOCK=infinity in the systemd unit, or '* - memlock unlimited' in"
                                    + " /etc/security/limits.conf, then log in again.")));
        }
    }
}
