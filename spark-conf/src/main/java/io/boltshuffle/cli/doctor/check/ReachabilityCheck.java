package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.probe.Outcome;
import io.boltshuffle.cli.doctor.probe.ProbeCommand;
import io.boltshuffle.cli.doctor.probe.SshProbe;
import io.boltshuffle.os.OperatingSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks that the host can be reached, and that every command ended. */
final class ReachabilityCheck implements Check {

    /** If these hang, that has a meaning of its own, which {@link VerbsHealthCheck} reports. */
    private static final Set<ProbeCommand> VERBS = Set.of(ProbeCommand.IBV_DEVICES, ProbeCommand.IBV_DEVINFO);

    @Override
    public List<Finding> on(Cluster cluster) {
        List<Finding> findings = new ArrayList<>();
        for (HostFacts host : cluster.hosts()) {
            if (host.platform() == OperatingSystem.UNKNOWN) {
                findings.add(unreachable(host));
            }
            for (ProbeCommand command : ProbeCommand.values()) {
                if (host.evidence().outcome(command).is(Outcome.Ending.HUNG) && !VERBS.contains(command)) {
                    findings.add(hung(host, command));
                }
            }
        }
        return findings;
    }

    private static Finding unreachable(HostFacts host) {
        if (host.evidence().unreachableBecause().isEmpty()) {
            return Finding.failure(
                    Cause.UNREACHABLE,
                    host.host(),
                    new Finding.Problem(
                            "uname names neither macOS nor Linux",
                            "Nothing on this host could be checked.",
                            "If this is saved evidence, it is not whole: save it anew with --save."));
        }
        String reason = host.evidence().unreachableBecause().get();
        String seen = reason.isEmpty()
                ? "ssh failed without a word"
                : "ssh: " + reason.lines().toList().get(0).replaceFirst("^ssh: ", "");
        return Finding.failure(
                Cause.UNREACHABLE,
                host.host(),
                new Finding.Problem(
                        seen,
                        "Nothing on this host could be checked.",
                        seen.contains(SshProbe.NO_SSH)
                                ? "Install an ssh client here (Debian: apt-get install openssh-client)."
                                : "Make this work without a password: ssh -o BatchMode=yes " + host.host()
                                        + " true (on a Mac, turn on Remote Login in System Settings > General > "
                                        + "Sharing; on Linux, start sshd; then ssh-copy-id " + host.host() + ")."));
    }

    private static Finding hung(HostFacts host, ProbeCommand command) {
        return Finding.warning(
                Cause.COMMAND_HUNG,
                host.host(),
                new Finding.Problem(
                        command.commandLine() + " did not end within "
                                + command.deadline().toSeconds() + " s",
                        "What it would have told is unknown, so other findings may be missing.",
                        "Run it by hand on " + host.host() + "; if it hangs there too, restart the machine."));
    }
}
