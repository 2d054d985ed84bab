package io.boltshuffle.proof.bench.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.proof.bench.baseline.Baseline;
import io.boltshuffle.proof.bench.network.HostPath;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.TracedStep;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines of a trace become the life of a fetch. */
class FetchLifeTest {

    private static final int EXECUTOR = 1;
    private static final int AGENT = 2;
    private static final int PEER = 3;

    private final List<TracedStep> trace = new ArrayList<>();

    private void at(long micros, long process, long thread, FetchStep step) {
        trace.add(new TracedStep(micros * 1_000, process, thread, "thread " + thread, step));
    }

    private void oneFetch(long from) {
        at(from, EXECUTOR, 1, FetchStep.ASKED);
        at(from + 10, EXECUTOR, 2, FetchStep.FETCH_SENT);
        at(from + 20, AGENT, 2, FetchStep.PULL_SENT);
        at(from + 30, PEER, 1, FetchStep.PULL_HEARD);
        at(from + 40, PEER, 2, FetchStep.BLOCKS_FOUND);
        at(from + 50, PEER, 2, FetchStep.READY_SENT);
        at(from + 60, AGENT, 2, FetchStep.READY_HEARD);
        at(from + 70, EXECUTOR, 2, FetchStep.DELIVERED);
        at(from + 75, PEER, 7, FetchStep.OFFER_WITHDRAWN);
    }

    @Test
    void eachFetchIsToldApartAndItsChangesOfThreadAreCounted() {
        oneFetch(0);
        oneFetch(72);

        List<FetchLife> lives = FetchLife.of(trace);

        assertThat(lives).hasSize(2).allSatisfy(life -> {
            assertThat(life.nanos()).isEqualTo(70_000);
            // The task, the client's thread, the agent's loop, the client's thread.
            assertThat(life.handOffs(FetchStep.Host.ASKING)).isEqualTo(3);
            assertThat(life.handOffs(FetchStep.Host.SERVING)).isEqualTo(1);
        });
    }

    @Test
    void whatBeganBeforeTheTraceOrIsNotOverIsLeftOut() {
        at(0, AGENT, 2, FetchStep.PULL_SENT);
        at(1, EXECUTOR, 2, FetchStep.DELIVERED);
        oneFetch(10);
        at(100, EXECUTOR, 1, FetchStep.ASKED);

        assertThat(FetchLife.of(trace)).hasSize(1);
    }

    @Test
    void theFetchOfMedianTimeIsShownStepByStep() {
        oneFetch(0);

        TracedFetches traced = new TracedFetches(
                new FetchSetup(CableKind.SEND, HostPath.LOOPBACK, Baseline.DEFAULT), FetchLife.of(trace));

        Report report = new Report("bolt bench fetch");
        traced.tell(report);
        assertThat(report.toText())
                .contains("median of 70 us", "changes of thread: 3 (3 to 3) on the asking host, 1 (1 to 1) on the")
                .containsPattern("\\n30 +10 +serving +the peer reads PULL +thread 1\\R");
        assertThat(traced.toJson()).containsEntry("threadChangesAsking", 3).containsEntry("fetches", 1);
    }
}
