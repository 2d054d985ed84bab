package io.boltshuffle.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.draw.Figures;
import io.boltshuffle.draw.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Formats what agents report about themselves for people. It reads the JSON and not the agent's classes, so that it can
 * show an agent of another release as far as it understands the report.
 */
final class AgentTable {
    private static final String NONE = "-";

    private final StringBuilder text = new StringBuilder();

    private AgentTable() {}

    static String of(List<JsonNode> agents) {
        AgentTable table = new AgentTable();
        agents.forEach(table::agent);
        return table.text.toString().stripTrailing();
    }

    private void agent(JsonNode agent) {
        text.append("agent of %s: pid %d, up %s, verbs by %s\n"
                .formatted(
                        agent.at("/host").asText(),
                        agent.at("/processId").asLong(),
                        Figures.age(agent.at("/uptimeMillis").asLong()),
                        agent.at("/provider").asText()));
        if (!agent.at("/listening").asText().isEmpty()) {
            text.append("other agents call it at: %s\n"
                    .formatted(agent.at("/listening").asText()));
        }
        text.append("trust: other agents prove %sthe secret of each application\n"
                .formatted(agent.at("/clusterSecret").asBoolean() ? "the cluster's secret, then " : ""));
        if (!agent.at("/pausedUntil").asText().isEmpty()) {
            text.append("paused until %s: its devices are free for other programs, and blocks go by TCP\n"
                    .formatted(agent.at("/pausedUntil").asText()));
        }
        totals(agent);
        rows("executor", "application", "fetches", "blocks read", "pinned")
                .addAll(
                        agent.at("/executors"),
                        each -> List.of(
                                each.at("/executor").asText(),
                                each.at("/application").asText(),
                                each.at("/fetches").asText(),
                                each.at("/leases").asText(),
                                bytes(each.at("/pinnedBytes"))))
                .print();
        rows("port", "state")
                .addAll(
                        agent.at("/ports"),
                        each -> List.of(
                                each.at("/device").asText() + ":"
                                        + each.at("/port").asText(),
                                each.at("/state").asText()))
                .print();
        rows("peer", "state", "fetches", "serving", "why")
                .addAll(
                        agent.at("/peers"),
                        each -> List.of(
                                each.at("/host").asText(),
                                each.at("/state").asText(),
                                each.at("/fetches").asText(),
                                each.at("/servedPulls").asText(),
                                why(each)))
                .print();
        links(agent.at("/peers"));
        cables(agent.at("/peers"));
    }

    private static String why(JsonNode peer) {
        String since = peer.at("/cutOffSince").asText();
        String why = peer.at("/detail").asText();
        return since.isEmpty() ? why : "cut off since " + since + ": " + why;
    }

    private void totals(JsonNode agent) {
        JsonNode memory = agent.at("/memory");
        JsonNode counters = agent.at("/counters");
        text.append("memory: slab %s, used %s, staged %s, read by tasks %s, quarantined %s, leaked regions %d\n"
                .formatted(
                        bytes(memory.at("/slabBytes")),
                        bytes(memory.at("/usedBytes")),
                        bytes(memory.at("/stagedBytes")),
                        bytes(memory.at("/pinnedBytes")),
                        bytes(memory.at("/quarantinedBytes")),
                        memory.at("/leakedRegions").asLong()));
        for (JsonNode reads : agent.at("/hangingReads")) {
            text.append("storage hangs: %d reads of %s (%s) since %s; its blocks go by TCP\n"
                    .formatted(
                            reads.at("/reads").asLong(),
                            reads.at("/directory").asText(),
                            reads.at("/application").asText(),
                            reads.at("/since").asText()));
        }
        text.append("so far: fetched %s in %d blocks, served %s in %d pulls, %s of it from memory, copied out %s\n"
                .formatted(
                        bytes(counters.at("/fetchedBytes")),
                        counters.at("/fetchedBlocks").asLong(),
                        bytes(counters.at("/servedBytes")),
                        counters.at("/servedPulls").asLong(),
                        bytes(counters.at("/servedFromMemoryBytes")),
                        bytes(counters.at("/copiedOutBytes"))));
        text.append("failed: fetches %s; links %s\n"
                .formatted(reasons(counters.at("/failedFetches")), reasons(counters.at("/failedLinks"))));
    }

    private void links(JsonNode peers) {
        Rows rows = rows(
                "link",
                "peer",
                "cable",
                "state",
                "calibrated to",
                "measured",
                "in now",
                "out now",
                "stripes",
                "mean",
                "now",
                "longest",
                "fetched",
                "served",
                "why");
        for (JsonNode peer : peers) {
            rows.addAll(peer.at("/links"), link -> link(peer.at("/host").asText(), link));
        }
        rows.print();
    }

    private void cables(JsonNode peers) {
        Rows rows = rows("cable", "peer", "links so far", "failed");
        for (JsonNode peer : peers) {
            rows.addAll(
                    peer.at("/cables"),
                    cable -> List.of(
                            cable.at("/near").asText() + " to "
                                    + cable.at("/far").asText(),
                            peer.at("/host").asText(),
                            cable.at("/ups").asText(),
                            reasons(cable.at("/failures"))));
        }
        rows.print();
    }

    private static List<String> link(String peer, JsonNode link) {
        JsonNode calibration = link.at("/calibration");
        boolean up = link.at("/state").asText().equals("UP");
        return List.of(
                link.at("/id").asText(),
                peer,
                link.at("/near").asText() + " to " + link.at("/far").asText(),
                link.at("/state").asText(),
                calibration.isObject()
                        ? calibration.at("/mode").asText() + " " + bytes(calibration.at("/messageBytes")) + " of "
                                + bytes(calibration.at("/windowBytes"))
                        : NONE,
                calibration.isObject() ? rate(calibration.at("/gigabytesPerSecond")) : NONE,
                rate(link.at("/pace/fetchedGigabytesPerSecond")),
                rate(link.at("/pace/servedGigabytesPerSecond")),
                Long.toString(link.at("/pace/stripes").asLong()),
                millis(link.at("/pace/meanStripeMicros")),
                millis(link.at("/pace/recentStripeMicros")),
                millis(link.at("/pace/longestStripeMicros")),
                bytes(link.at("/counters/bytesVerified")),
                bytes(link.at("/counters/bytesServed")),
                up ? "" : link.at("/detail").asText());
    }

    private static String rate(JsonNode gigabytesPerSecond) {
        return ByteFigures.rate(gigabytesPerSecond.asDouble() * 1e9);
    }

    private static String millis(JsonNode micros) {
        return String.format(Locale.ROOT, "%.1f ms", micros.asLong() / 1e3);
    }

    private static String reasons(JsonNode counts) {
        List<String> parts = new ArrayList<>();
        counts.properties()
                .forEach(each -> parts.add(each.getKey() + " " + each.getValue().asText()));
        return parts.isEmpty() ? "none" : String.join(", ", parts);
    }

    private static String bytes(JsonNode count) {
        return ByteFigures.bytes(count.asLong());
    }

    private Rows rows(String... titles) {
        return new Rows(List.of(titles));
    }

    /** Returns the cells of one line. */
    private interface Cells {
        List<String> of(JsonNode each);
    }

    /** A table with a heading. It is left out if it has no lines. */
    private final class Rows {
        private final List<String> titles;
        private final List<List<String>> lines = new ArrayList<>();

        Rows(List<String> titles) {
            this.titles = titles;
        }

        Rows addAll(JsonNode array, Cells cells) {
            array.forEach(each -> lines.add(cells.of(each)));
            return this;
        }

        void print() {
            if (!lines.isEmpty()) {
                text.append('\n')
                        .append(new TextTable(titles, lines).toText(TextTable.Align.LEFT))
                        .append('\n');
            }
        }
    }
}
