package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.ProcessState;
import io.boltshuffle.cli.doctor.facts.RdmaFlag;
import io.boltshuffle.cli.doctor.facts.VerbsDevice;
import io.boltshuffle.cli.doctor.probe.Outcome;
import io.boltshuffle.cli.doctor.probe.ProbeCommand;
import io.boltshuffle.conf.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks that the verbs stack of a Mac answers, and that its few queue pairs are free. The budget belongs to the
 * machine; a process that dies inside verbs can keep its part until the next restart.
 */
final class VerbsHealthCheck implements Check {

    private static final Pattern USES_VERBS =
            Pattern.compile("(?i).*\\b(java|python[0-9.]*|ibv?_\\w+|mlx\\S*|exo|bolt)$");

    @Override
    public List<Finding> on(Cluster cluster) {
        List<Finding> findings = new ArrayList<>();
        for (HostFacts mac : cluster.macs()) {
            List<ProcessState> stuck = mac.stuckProcesses().stream()
                    .filter(process -> USES_VERBS.matcher(process.command()).matches())
                    .toList();
            if (mac.verbsHang()) {
                findings.add(leaked(mac, hangingCommand(mac) + " did not come back"));
            } else if (!stuck.isEmpty()) {
                findings.add(leaked(mac, "stuck in an uninterruptible wait: " + names(stuck)));
            } else if (mac.rdmaFlag() == RdmaFlag.ENABLED && !ThunderboltGenerationCheck.isThunderbolt4(mac)) {
                devices(mac).ifPresent(findings::add);
                otherProviders(mac).ifPresent(findings::add);
            }
        }
        return findings;
    }

    private static Finding leaked(HostFacts mac, String seen) {
        return Finding.failure(
                Cause.BUDGET_LEAKED,
                mac.host(),
                new Finding.Problem(
                        seen,
                        "A process is caught inside the RDMA driver and keeps queue pairs and protection domains that "
                                + "no one else can get (10 queue pairs a device on macOS 26, 3 on macOS 27). It cannot "
                                + "be killed.",
                        "Stop the jobs, then restart " + mac.host()
                                + ". Do not kill programs that use RDMA with kill -9."));
    }

    private static Optional<Finding> devices(HostFacts mac) {
        if (!mac.evidence().outcome(ProbeCommand.IBV_DEVICES).is(Outcome.Ending.RAN)) {
            return Optional.empty();
        }
        if (mac.listedDevices().isEmpty()) {
            return Optional.of(Finding.failure(
                    Cause.NO_VERBS_DEVICE,
                    mac.host(),
                    new Finding.Problem(
                            "ibv_devices lists no device, though rdma_ctl says enabled",
                            "The RDMA driver did not start on any Thunderbolt port.",
                            "Restart " + mac.host()
                                    + ". If it stays so, switch RDMA off and on again: in System Settings, or "
                                    + "by rdma_ctl in Recovery.")));
        }
        OptionalInt queuePairs = mac.verbsDevices().stream()
                .map(VerbsDevice::maxQueuePairs)
                .flatMapToInt(OptionalInt::stream)
                .min();
        return Optional.of(Finding.ok(
                Cause.NO_VERBS_DEVICE,
                mac.host(),
                String.join(", ", mac.listedDevices())
                        + (queuePairs.isPresent() ? "; " + queuePairs.getAsInt() + " queue pairs each at most" : "")));
    }

    /** Names the devices that only those who say so let agents use. */
    private static Optional<Finding> otherProviders(HostFacts mac) {
        List<String> others = mac.verbsDevices().stream()
                .filter(device -> !device.linkLayer().equals("Thunderbolt"))
                .map(device -> device.name() + " (" + device.state() + ", " + device.linkLayer() + ")")
                .toList();
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of(Finding.ok(
                        Cause.NO_VERBS_DEVICE,
                        mac.host(),
                        String.join(", ", others)
                                + " of another provider than Apple's: agents use it, by RDMA READ, if "
                                + Options.AGENT_OTHER_PROVIDERS.key() + " is true"));
    }

    private static String hangingCommand(HostFacts mac) {
        return mac.evidence().outcome(ProbeCommand.IBV_DEVICES).is(Outcome.Ending.HUNG)
                ? ProbeCommand.IBV_DEVICES.commandLine()
                : ProbeCommand.IBV_DEVINFO.commandLine();
    }

    private static String names(List<ProcessState> stuck) {
        return stuck.stream()
                .map(process -> process.command() + " (pid " + process.pid() + ", state " + process.state() + ")")
                .collect(Collectors.joining(", "));
    }
}
