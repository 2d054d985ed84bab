package io.boltshuffle.cli.doctor.check;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** All findings; the user should act on the first one first. */
public record Diagnosis(List<Finding> findings) {

    private static final List<Check> CHECKS = List.of(
            new ReachabilityCheck(),
            new MacOsVersionCheck(),
            new ThunderboltGenerationCheck(),
            new RdmaFlagCheck(),
            new VerbsHealthCheck(),
            new LinuxVerbsCheck(),
            new CableCheck(),
            new CrossedCablesCheck(),
            new PortStateCheck(),
            new BridgeCheck(),
            new AddressCheck(),
            new NeighbourCheck(),
            new FirewallCheck(),
            new SleepCheck(),
            new BuildsCheck(),
            new SoftwareCheck(),
            new WriterCheck(),
            new AgentCheck(),
            new SpaceCheck());

    public static Diagnosis of(Cluster cluster) {
        return new Diagnosis(CHECKS.stream()
                .flatMap(check -> check.on(cluster).stream())
                .sorted(Comparator.comparing(Finding::severity, Comparator.reverseOrder())
                        .thenComparing(Finding::cause))
                .toList());
    }

    public Severity worst() {
        return findings.isEmpty() ? Severity.OK : findings.get(0).severity();
    }

    /** Returns the finding to act on first; empty if all is well. */
    public Optional<Finding> rootCause() {
        return findings.stream().findFirst().filter(finding -> finding.severity() != Severity.OK);
    }

    public long count(Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }
}
