package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.MacHardware;
import io.boltshuffle.topology.mac.ThunderboltPort;
import java.util.List;

/** Checks that the hardware supports RDMA. The RDMA flag cannot tell: it says "enabled" on Thunderbolt 4 Macs, too. */
final class ThunderboltGenerationCheck implements Check {

    @Override
    public List<Finding> on(Cluster cluster) {
        return cluster.macs().stream().map(ThunderboltGenerationCheck::judge).toList();
    }

    static boolean isThunderbolt4(HostFacts mac) {
        return switch (mac.hardware().ports()) {
            case THUNDERBOLT_5 -> false;
            case THUNDERBOLT_4 -> true;
            // A slow link may be due to its cable; only an empty port tells what the port itself can do.
            case UNKNOWN ->
                mac.thunderboltPorts().stream().noneMatch(ThunderboltPort::isFast)
                        && mac.thunderboltPorts().stream().anyMatch(port -> !port.connected() && port.gigabits() > 0);
        };
    }

    private static Finding judge(HostFacts mac) {
        MacHardware hardware = mac.hardware();
        String seen = hardware.chip().orElse("chip unknown") + ", "
                + mac.thunderboltPorts().size() + " Thunderbolt ports";
        if (isThunderbolt4(mac)) {
            return Finding.failure(
                    Cause.THUNDERBOLT_4,
                    mac.host(),
                    new Finding.Problem(
                            seen + " of up to 40 Gb/s",
                            "RDMA needs Thunderbolt 5. On this Mac it can never work, whatever rdma_ctl says.",
                            "Leave this Mac on TCP (the plugin does so by itself), or use one with M4 Pro, M4 Max, M3"
                                    + " Ultra, or M5 Pro, Max or Ultra."));
        }
        return Finding.ok(Cause.THUNDERBOLT_4, mac.host(), seen);
    }
}
