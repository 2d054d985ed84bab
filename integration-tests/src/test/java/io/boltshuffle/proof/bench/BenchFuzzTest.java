package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.verify.LadderDocument;
import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.util.Set;
import java.util.stream.Stream;

/** Damages what measuring programs print. */
class BenchFuzzTest extends FuzzContract {

    @Override
    protected int thinning() {
        return 20;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        return Stream.of(
                FuzzTarget.ofText(
                        "vtbbench-figures",
                        figures -> Json.read(figures, NativeBench.Figures.class),
                        Set.of(BoltException.class),
                        """
                        {"mode":"send","messageBytes":1048576,"seconds":1.5,"gbPerSecond":5.25,
                         "receiver":{"appCpuSecondsPerGb":0.01},"roundTrip":{"bytes":8,"rounds":100,"p50Us":4.2}}
                        """),
                FuzzTarget.ofText(
                        "ladder-report",
                        report -> Json.read(report, LadderDocument.class),
                        Set.of(BoltException.class),
                        """
                        {"works":true,"rungs":[{"rung":"LIBRARY","passed":true,"detail":"found","remedy":""}],
                         "latencyMicros":{"messageBytes":4096,"rounds":9,"min":1,"p50":2,"p90":3,"p99":4,"max":5},
                         "calibration":[{"messageBytes":65536,"windowBytes":4194304,"gigabytesPerSecond":3.1}],
                         "stream":null,
                         "cpuSecondsPerGigabyte":{"fetching":0.1,"serving":0.1,"checksums":0,"idleShare":0}}
                        """));
    }
}
