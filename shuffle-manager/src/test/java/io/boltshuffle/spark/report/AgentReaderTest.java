package io.boltshuffle.spark.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentReaderTest {

    @Test
    void whereNoAgentAnswersItIsToldWhyTheLastOneEnded(@TempDir Path temp) throws IOException {
        AgentReader reader = new AgentReader(temp.resolve("r"), "mac1");
        assertThat(reader.read().problem())
                .startsWith("no answer from an agent at ")
                .doesNotContain("its log");
        Files.writeString(
                MeetingPlace.open(temp.resolve("r"), "mac1").log(),
                "26/11/27 21:00:00 ERROR AgentMain: the agent of mac1 cannot start: the port is taken\n");
        assertThat(reader.read().problem())
                .endsWith("; the last line of its log: ERROR AgentMain: the agent of mac1 cannot start: the port is"
                        + " taken");
    }

    @Test
    void aLinkCountsWhatItsCableLostToDamage() throws IOException {
        AgentState agent = AgentReader.parse("""
                {"memory": {"slabBytes": 100, "usedBytes": 30, "pinnedBytes": 20, "quarantinedBytes": 10,
                            "leakedRegions": 3},
                 "counters": {"servedBytes": 700, "servedFromMemoryBytes": 600},
                 "peers": [{"host": "mac2", "state": "UP", "detail": "",
                   "links": [
                     {"near": "en5:1", "far": "en6:1", "state": "UP", "detail": "SEND",
                      "counters": {"bytesVerified": 1000}, "pace": {"recentStripeMicros": 250}},
                     {"near": "en7:1", "far": "en8:1", "state": "OPENING", "detail": "", "counters": null,
                      "pace": null}],
                   "cables": [
                     {"near": "en7:1", "far": "en8:1", "ups": 1, "failures": {"STALLED": 4}},
                     {"near": "en5:1", "far": "en6:1", "ups": 3, "failures": {"CHECKSUM_MISMATCH": 2, "STALLED": 1}}]}]}
                """);

        assertThat(agent)
                .isEqualTo(new AgentState(
                        "",
                        100,
                        30,
                        20,
                        10,
                        3,
                        List.of(
                                new ReportedLink("mac2", "en5:1", "en6:1", "UP", "SEND", 1000, 250, 2),
                                new ReportedLink("mac2", "en7:1", "en8:1", "OPENING", "", 0, 0, 0)),
                        List.of(new ReportedPeer("mac2", "UP", ""))));
    }

    @Test
    void aHostWithoutACableIsKnownWithTheReason() throws IOException {
        AgentState agent = AgentReader.parse("""
                {"memory": {}, "peers": [{"host": "mac3", "state": "NO_CABLE", "detail": "no port faces one of its",
                                           "links": []}]}
                """);

        assertThat(agent.links()).isEmpty();
        assertThat(agent.peers()).containsExactly(new ReportedPeer("mac3", "NO_CABLE", "no port faces one of its"));
    }
}
