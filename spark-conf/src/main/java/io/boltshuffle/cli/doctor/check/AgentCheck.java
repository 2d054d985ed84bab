package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.facts.AgentPresence;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.conf.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks whether a node agent runs and, if not, whether it could. It need not run: the first executor of a job starts
 * it.
 */
final class AgentCheck implements Check {

    private static final int PORT = Options.AGENT_PORT.defaultValue();

    @Override
    public List<Finding> on(Cluster cluster) {
        List<Finding> findings = new ArrayList<>();
        for (HostFacts host : cluster.hosts()) {
            host.agent().flatMap(agent -> judge(host.host(), agent)).ifPresent(findings::add);
        }
        return findings;
    }

    private static Optional<Finding> judge(String host, AgentPresence agent) {
        if (!agent.processes().isEmpty()) {
            return Optional.of(Finding.ok(
                    Cause.AGENT,
                    host,
                    "the agent runs, pid " + agent.processes().get(0)));
        }
        if (agent.listeningPorts().contains(PORT)) {
            return Optional.of(Finding.failure(
                    Cause.AGENT,
                    host,
                    new Finding.Problem(
                            "another program, or another user's agent, listens on TCP port " + PORT,
                            "The agent cannot be started; every fetch goes by TCP.",
                            "End that program, or choose another port for all hosts: " + Options.AGENT_PORT.key()
                                    + ".")));
        }
        if (!agent.sockets().isEmpty()) {
            return Optional.of(Finding.warning(
                    Cause.AGENT,
                    host,
                    new Finding.Problem(
                            agent.sockets().get(0) + " is there, but no agent runs",
                            "The last agent did not end in order. The next one cleans up by itself.",
                            "Read agent.log beside the socket; keep it for a report if you did not kill the agent.")));
        }
        return Optional.of(Finding.ok(Cause.AGENT, host, "no agent runs; the first executor of a job starts it"));
    }
}
