package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.MacOsVersion;
import java.util.List;

/** Checks the version. RDMA over Thunderbolt came with macOS 26.2; large messages are trusted from 26.3 on. */
final class MacOsVersionCheck implements Check {

    @Override
    public List<Finding> on(Cluster cluster) {
        return cluster.macs().stream()
                .flatMap(mac -> mac.macOs().map(version -> judge(mac, version)).stream())
                .toList();
    }

    private static Finding judge(HostFacts mac, MacOsVersion version) {
        if (!version.isAtLeast(26, 2)) {
            return Finding.failure(
                    Cause.MACOS_TOO_OLD,
                    mac.host(),
                    new Finding.Problem(
                            version.toString(),
                            "RDMA over Thunderbolt exists from macOS 26.2 on; this Mac can only use TCP.",
                            "Update to macOS 26.3 or newer (System Settings > General > Software Update), the same"
                                    + " build on every Mac."));
        }
        if (!version.isAtLeast(26, 3)) {
            return Finding.warning(
                    Cause.MACOS_TOO_OLD,
                    mac.host(),
                    new Finding.Problem(
                            version.toString(),
                            "RDMA works, but others restrict themselves to 4 KiB messages before macOS 26.3.",
                            "Update to macOS 26.3 or newer, the same build on every Mac."));
        }
        return Finding.ok(Cause.MACOS_TOO_OLD, mac.host(), version.toString());
    }
}
