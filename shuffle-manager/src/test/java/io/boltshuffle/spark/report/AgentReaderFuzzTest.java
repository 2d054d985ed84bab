package io.boltshuffle.spark.report;

import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Stream;

/** An agent's status as an executor reads it. */
class AgentReaderFuzzTest extends FuzzContract {

    @Override
    protected int thinning() {
        return 4;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        return Stream.of(FuzzTarget.ofText("agent-status", AgentReader::parse, Set.of(IOException.class), """
                {"memory": {"slabBytes": 100, "usedBytes": 30, "pinnedBytes": 20, "quarantinedBytes": 10},
                 "peers": [{"host": "mac2",
                   "links": [{"near": "en5:1", "far": "en6:1", "state": "UP", "detail": "SEND",
                     "counters": {"bytesVerified": 1000}, "pace": {"recentStripeMicros": 250}}],
                   "cables": [{"near": "en5:1", "failures": {"CHECKSUM_MISMATCH": 2}}]}]}
                """));
    }
}
