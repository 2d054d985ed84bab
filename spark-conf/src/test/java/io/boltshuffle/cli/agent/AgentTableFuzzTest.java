package io.boltshuffle.cli.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** An agent's status as {@code bolt agent status} shows it. */
class AgentTableFuzzTest extends FuzzContract {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    protected int thinning() {
        return 20;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        return Stream.of(FuzzTarget.ofText(
                "agent-table",
                status -> AgentTable.of(List.of(JSON.readTree(status))),
                Set.of(JsonProcessingException.class),
                """
                {"host":"mac1","processId":42,"uptimeMillis":3723000,"provider":"librdma.dylib",
                 "executors":[{"executor":"0","application":"app-1","fetches":2,"leases":3,"pinnedBytes":2048}],
                 "ports":[{"device":"rdma_en5","port":1,"state":"in use"}],
                 "peers":[{"host":"mac2","state":"UP","detail":"","fetches":1,"servedPulls":0,
                   "links":[{"id":1,"near":"rdma_en5:1","far":"rdma_en6:1","state":"UP","detail":"SEND",
                     "calibration":{"mode":"SEND","messageBytes":65536},"counters":{"bytesVerified":1048576},
                     "pace":{"stripes":7,"meanStripeMicros":2500}}],
                   "cables":[{"near":"rdma_en5:1","far":"rdma_en6:1","ups":3,"failures":{"CHECKSUM_MISMATCH":2}}]}],
                 "memory":{"slabBytes":1073741824},"counters":{"failedFetches":{"DEADLINE":2},"failedLinks":{}}}
                """));
    }
}
