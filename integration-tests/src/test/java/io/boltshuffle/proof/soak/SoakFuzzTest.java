package io.boltshuffle.proof.soak;

import io.boltshuffle.soak.JobResult;
import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

/** Damages what a soak reads of the jobs and processes that it torments. */
class SoakFuzzTest extends FuzzContract {

    @Override
    protected int thinning() {
        return 20;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        return Stream.of(
                FuzzTarget.ofText(
                        "job-result", JobResult::parse, Set.of(IllegalArgumentException.class), "sorted-0\t900\tab12"),
                FuzzTarget.ofText(
                        "class-histogram",
                        LiveHeap::total,
                        Set.of(),
                        "   1:   123   456  [B (java.base@17)\nTotal        123456       7890123\n"),
                FuzzTarget.ofText(
                        "command-line",
                        line -> ClusterProcess.of(1, Arrays.asList(line.split("\0", -1))),
                        Set.of(),
                        "java\0-cp\0x.jar\0io.boltshuffle.agent.AgentMain\0--host\0127.0.0.2\0"));
    }
}
