package io.boltshuffle.proof.soak;

import io.boltshuffle.cli.cluster.NodeAgent;
import io.boltshuffle.os.Signal;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;

/** The kinds of faults. {@link Targets#heal} ends each of them. */
enum Fault {
    CABLE_PULLED((targets, random) -> targets.cables().all("pull", "silent")),
    CABLE_LOOSE((targets, random) -> {
        for (int time = 0; time < 3; time++) {
            targets.cables().all("flap", Integer.toString(50 + random.nextInt(400)), "silent");
        }
    }),
    CABLE_SLOW((targets, random) -> targets.cables().all("gbps", "0.2")),
    CABLE_MUTE((targets, random) -> targets.cables().all("mute", "on")),
    COMPLETIONS_LATE((targets, random) -> targets.cables().all("late", "20000", "rate", "0.2", "seed", seed(random))),
    FRAMES_LOST((targets, random) -> targets.cables().all("lose", "rate", "0.02", "seed", seed(random))),
    FRAMES_CORRUPTED((targets, random) -> targets.cables().all("corrupt", "rate", "0.02", "seed", seed(random))),
    SLOW_DISK((targets, random) -> targets.disk().delayReads(Duration.ofMillis(2 + random.nextInt(30)))),
    AGENT_KILLED((targets, random) ->
            Targets.signal(Signal.KILL, targets.mortalAgent().processId())),
    AGENT_ENDED((targets, random) ->
            Targets.signal(Signal.TERM, targets.mortalAgent().processId())),
    AGENT_STOPPED((targets, random) ->
            Targets.signal(Signal.STOP, any(targets, random).processId())),
    EXECUTOR_KILLED((targets, random) -> targets.executor(targets.hostOfMortalExecutor())
            .ifPresent(executor -> Targets.signal(Signal.KILL, executor))),
    EXECUTOR_STOPPED((targets, random) ->
            targets.executor(any(targets, random).host()).ifPresent(executor -> Targets.signal(Signal.STOP, executor))),
    /** Stops an agent and its executor for a while, as closing a laptop's lid does. */
    HOST_SUSPENDED((targets, random) -> {
        NodeAgent agent = any(targets, random);
        Targets.signal(Signal.STOP, agent.processId());
        targets.executor(agent.host()).ifPresent(executor -> Targets.signal(Signal.STOP, executor));
    });

    @SuppressWarnings("ImmutableEnumChecker") // what is assigned captures nothing
    private final Strike strike;

    Fault(Strike strike) {
        this.strike = strike;
    }

    private interface Strike {
        void at(Targets targets, Random random);
    }

    void strike(Targets targets, Random random) {
        strike.at(targets, random);
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static NodeAgent any(Targets targets, Random random) {
        return targets.agents().get(random.nextInt(targets.agents().size()));
    }

    private static String seed(Random random) {
        return Integer.toString(1 + random.nextInt(Short.MAX_VALUE));
    }
}
