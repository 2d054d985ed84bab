package io.boltshuffle.proof.bench.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.util.Set;
import java.util.stream.Stream;

/** A saved report of {@code bolt bench fetch}. */
class CpuCostsFuzzTest extends FuzzContract {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    protected int thinning() {
        return 20;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        return Stream.of(FuzzTarget.ofText(
                "fetch-report",
                report -> CpuCosts.parse(JSON.readTree(report), "report.json"),
                Set.of(BoltException.class, JsonProcessingException.class),
                """
                {"points":[{"blockBytes":1048576,"cables":"send","stock":{"cpuSecondsPerGigabyte":{"median":0.5}},
                            "boltshuffle":{"cpuSecondsPerGigabyte":{"median":0.25}}}]}
                """));
    }
}
