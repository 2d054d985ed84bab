package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.MacOsVersion;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Checks that all Macs run the same build. The RDMA driver changes between builds, and mixed ones are untried. */
final class BuildsCheck implements Check {

    @Override
    public List<Finding> on(Cluster cluster) {
        Map<String, List<String>> hostsOfBuild = cluster.macs().stream()
                .filter(mac -> mac.macOs()
                        .filter(version -> !version.build().isEmpty())
                        .isPresent())
                .collect(Collectors.groupingBy(
                        mac -> mac.macOs().map(MacOsVersion::toString).orElse(""),
                        TreeMap::new,
                        Collectors.mapping(HostFacts::host, Collectors.toList())));
        if (hostsOfBuild.size() < 2) {
            return List.of();
        }
        String seen = hostsOfBuild.entrySet().stream()
                .map(build -> build.getKey() + " on " + String.join(", ", build.getValue()))
                .collect(Collectors.joining("; "));
        String hosts = cluster.macs().stream().map(HostFacts::host).collect(Collectors.joining(", "));
        return List.of(Finding.warning(
                Cause.DIFFERENT_BUILDS,
                hosts,
                new Finding.Problem(
                        seen,
                        "Two builds of the RDMA driver talk to each other; limits differ between them (macOS 27 has "
                                + "fewer queue pairs).",
                        "Bring all Macs to the same build: System Settings > General > Software Update.")));
    }
}
