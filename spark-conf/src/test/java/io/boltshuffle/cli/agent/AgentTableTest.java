package io.boltshuffle.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentTableTest {

    @Test
    void showsWhatTheAgentSays() throws JsonProcessingException {
        assertThat(AgentTable.of(List.of(json("""
                {"host": "mac1", "processId": 42, "uptimeMillis": 3723000, "provider": "librdma.dylib",
                 "listening": "10.0.0.1, 10.0.0.2",
                 "executors": [{"executor": "0", "application": "app-1", "fetches": 2, "leases": 3,
                                "pinnedBytes": 2048}],
                 "ports": [{"device": "rdma_en5", "port": 1, "state": "in use"}],
                 "peers": [
                   {"host": "mac2", "state": "UP", "detail": "", "fetches": 1, "servedPulls": 0, "links": [
                     {"id": 1, "near": "rdma_en5:1", "far": "rdma_en6:1", "state": "UP", "detail": "SEND",
                      "calibration": {"mode": "SEND", "messageBytes": 65536, "windowBytes": 4194304,
                                      "gigabytesPerSecond": 3.14159},
                      "counters": {"bytesVerified": 1048576, "bytesServed": 0},
                      "pace": {"fetchedGigabytesPerSecond": 1.25, "servedGigabytesPerSecond": 0.5, "stripes": 7,
                               "meanStripeMicros": 2500, "recentStripeMicros": 1500, "longestStripeMicros": 9000}},
                     {"id": 2, "near": "rdma_en7:1", "far": "rdma_en8:1", "state": "DOWN", "detail": "STALLED: silent",
                      "calibration": null, "counters": null, "pace": null}],
                    "cables": [{"near": "rdma_en5:1", "far": "rdma_en6:1", "ups": 3,
                                "failures": {"CHECKSUM_MISMATCH": 2}}]},
                   {"host": "mac3", "state": "DOWN", "detail": "NO_CABLE: none", "fetches": 0, "servedPulls": 0,
                    "cutOffSince": "2026-11-27T14:05:00Z", "links": []}],
                 "memory": {"slabBytes": 1073741824, "usedBytes": 10485760, "stagedBytes": 0, "pinnedBytes": 2048,
                            "quarantinedBytes": 0, "leakedRegions": 2},
                 "hangingReads": [{"directory": "/mnt/x", "application": "app-1", "reads": 2,
                                   "since": "2026-11-27T14:05:00Z"}],
                 "counters": {"fetchedBytes": 1048576, "fetchedBlocks": 12, "servedBytes": 3072, "servedPulls": 2,
                              "servedFromMemoryBytes": 2048, "copiedOutBytes": 0,
                              "failedFetches": {"DEADLINE": 2}, "failedLinks": {}}}
                """)))).isEqualTo("""
                agent of mac1: pid 42, up 1:02:03, verbs by librdma.dylib
                other agents call it at: 10.0.0.1, 10.0.0.2
                trust: other agents prove the secret of each application
                memory: slab 1.0 GiB, used 10.0 MiB, staged 0 B, read by tasks 2.0 KiB, \
                quarantined 0 B, leaked regions 2
                storage hangs: 2 reads of /mnt/x (app-1) since 2026-11-27T14:05:00Z; its blocks go by TCP
                so far: fetched 1.0 MiB in 12 blocks, served 3.0 KiB in 2 pulls, 2.0 KiB of it from memory, \
                copied out 0 B
                failed: fetches DEADLINE 2; links none

                executor  application  fetches  blocks read  pinned
                0         app-1        2        3            2.0 KiB

                port        state
                rdma_en5:1  in use

                peer  state  fetches  serving  why
                mac2  UP     1        0
                mac3  DOWN   0        0        cut off since 2026-11-27T14:05:00Z: NO_CABLE: none

                link  peer  cable                     state  calibrated to             \
                measured   in now     out now      stripes  mean    now     longest  fetched  served  why
                1     mac2  rdma_en5:1 to rdma_en6:1  UP     SEND 64.0 KiB of 4.0 MiB  \
                2.9 GiB/s  1.2 GiB/s  476.8 MiB/s  7        2.5 ms  1.5 ms  9.0 ms   1.0 MiB  0 B
                2     mac2  rdma_en7:1 to rdma_en8:1  DOWN   -                         \
                -          0 B/s      0 B/s        0        0.0 ms  0.0 ms  0.0 ms   0 B      0 B     STALLED: silent

                cable                     peer  links so far  failed
                rdma_en5:1 to rdma_en6:1  mac2  3             CHECKSUM_MISMATCH 2""");
    }

    @Test
    void aYoungAgentHasNoEmptyTables() throws JsonProcessingException {
        assertThat(AgentTable.of(List.of(json("{\"host\": \"mac1\", \"uptimeMillis\": 1500}"))))
                .startsWith("agent of mac1: pid 0, up 1 s,")
                .hasLineCount(5);
    }

    private static JsonNode json(String text) throws JsonProcessingException {
        return new ObjectMapper().readTree(text);
    }
}
