package io.boltshuffle.loop;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Shows a loop that falls asleep beside a task, with no thread left to wake it: {@code false, true}. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "it sleeps, and is woken")
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "it sees the task in time")
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "both notice")
@State
public class TaskQueueStress {

    private final TaskQueue tasks = new TaskQueue();

    @Actor
    public void anyThread(ZZ_Result result) {
        result.r1 = tasks.add(() -> {});
    }

    @Actor
    public void loop(ZZ_Result result) {
        result.r2 = tasks.mayFallAsleep();
    }
}
