package io.boltshuffle.proof.soak;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.cluster.NodeAgent;
import io.boltshuffle.cli.cluster.NodeAgents;
import io.boltshuffle.cli.cluster.VirtualCables;
import io.boltshuffle.os.Signal;
import io.boltshuffle.proof.soak.ClusterProcess.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The targets of faults. The agent of the first host and the executor of the last are never killed. Each of them sees
 * the other kind die and come back again and again, and lives long enough to show what it leaks.
 *
 * <p><b>Threads:</b> confined to the thread that strikes.
 */
final class Targets {
    private final NodeAgents agents;
    private final SlowDisk disk;

    Targets(NodeAgents agents, SlowDisk disk) {
        this.agents = agents;
        this.disk = disk;
    }

    SlowDisk disk() {
        return disk;
    }

    NodeAgents cluster() {
        return agents;
    }

    VirtualCables cables() {
        return agents.cables();
    }

    NodeAgent mortalAgent() {
        return agents.all().get(agents.all().size() - 1);
    }

    String hostOfMortalExecutor() {
        return agents.all().get(0).host();
    }

    List<NodeAgent> agents() {
        return agents.all();
    }

    /** Returns the executor of a host; empty while Spark is starting another. */
    Optional<Long> executor(String host) {
        return ClusterProcess.running().stream()
                .filter(process ->
                        process.kind() == Kind.EXECUTOR && process.host().equals(host))
                .map(ClusterProcess::pid)
                .findFirst();
    }

    /** A process that has just ended by itself gets none, which is as well. */
    static void signal(Signal signal, long pid) {
        if (ProcessHandle.of(pid).isPresent()) {
            try {
                signal.send(pid);
            } catch (IOException e) {
                if (ProcessHandle.of(pid).isPresent()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** Restores everything to its state before the fault. */
    void heal() {
        cables().all("clear");
        disk.delayReads(Duration.ZERO);
        agents.all().forEach(agent -> signal(Signal.CONT, agent.processId()));
        agents.all().forEach(agent -> executor(agent.host()).ifPresent(executor -> signal(Signal.CONT, executor)));
        if (!mortalAgent().isAlive()) {
            mortalAgent().startAgain();
        }
        agents.all().stream().filter(agent -> !agent.isAlive()).forEach(agent -> {
            throw BoltException.failed("the agent of " + agent.host() + " ended by itself");
        });
    }
}
