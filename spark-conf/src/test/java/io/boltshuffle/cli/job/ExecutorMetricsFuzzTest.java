package io.boltshuffle.cli.job;

import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.util.Set;
import java.util.stream.Stream;

/** Damages what executors say of themselves. */
class ExecutorMetricsFuzzTest extends FuzzContract {

    @Override
    protected int thinning() {
        return 20;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        return Stream.of(FuzzTarget.ofText(
                "executor-metrics",
                rows -> ExecutorMetrics.lastValue(rows.lines().toList()),
                Set.of(),
                "t,count,max\n1763770000,10,3\n1763770005,12,3\n",
                "t,value\n1763770000,-7\n"));
    }
}
