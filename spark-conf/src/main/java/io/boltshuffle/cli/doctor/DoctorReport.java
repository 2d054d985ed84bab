package io.boltshuffle.cli.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.boltshuffle.cli.base.BuildFacts;
import io.boltshuffle.cli.base.Counted;
import io.boltshuffle.cli.base.MachineFacts;
import io.boltshuffle.cli.doctor.check.Cluster;
import io.boltshuffle.cli.doctor.check.Diagnosis;
import io.boltshuffle.cli.doctor.check.Finding;
import io.boltshuffle.cli.doctor.check.Fix;
import io.boltshuffle.cli.doctor.check.Severity;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Formats a diagnosis for a person or for a program. The first line for a person is the root cause. */
final class DoctorReport {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int JSON_VERSION = 1;
    private static final int WIDTH = 110;
    private static final String INDENT = " ".repeat(9);

    private DoctorReport() {}

    static String text(Cluster cluster, Diagnosis diagnosis) {
        StringBuilder text = new StringBuilder();
        if (diagnosis.rootCause().isEmpty()) {
            text.append("OK       ").append(FabricSummary.of(cluster.fabric())).append('\n');
        }
        diagnosis.findings().stream()
                .filter(finding -> finding.severity() != Severity.OK)
                .forEach(finding -> appendProblem(text, finding));
        appendGood(text, diagnosis);
        return text.append('\n')
                .append(Counted.of(diagnosis.count(Severity.FAILURE), "failure"))
                .append(", ")
                .append(Counted.of(diagnosis.count(Severity.WARNING), "warning"))
                .append(", ")
                .append(diagnosis.count(Severity.OK))
                .append(" ok\n")
                .toString();
    }

    static String json(Cluster cluster, Diagnosis diagnosis) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("version", JSON_VERSION);
        root.put("worst", diagnosis.worst().name());
        root.set("build", MAPPER.valueToTree(BuildFacts.current()));
        root.set("machine", MAPPER.valueToTree(MachineFacts.current()));
        ArrayNode hosts = root.putArray("hosts");
        cluster.hosts().stream().map(HostFacts::host).forEach(hosts::add);
        ArrayNode machines = root.putArray("machines");
        cluster.hosts().forEach(host -> addTo(machines.addObject(), host));
        ArrayNode findings = root.putArray("findings");
        diagnosis.findings().forEach(finding -> addTo(findings.addObject(), finding));
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree is always JSON", e);
        }
    }

    /** Adds the known facts of a host that are neither good nor bad. Unknown ones are left out. */
    private static void addTo(ObjectNode node, HostFacts host) {
        node.put("host", host.host());
        node.put("platform", host.platform().name());
        host.macOs().ifPresent(system -> node.put("system", system.toString()));
        host.hardware().model().ifPresent(model -> node.put("model", model));
        host.hardware().chip().ifPresent(chip -> node.put("chip", chip));
        host.hardware().memoryBytes().ifPresent(bytes -> node.put("memoryBytes", bytes));
        host.java().ifPresent(java -> node.put("java", java.text()));
        host.spark().ifPresent(spark -> node.put("spark", spark.version() + ", Scala " + spark.scalaVersion()));
        ArrayNode devices = node.putArray("devices");
        host.verbsDevices().forEach(device -> devices.add(device.name() + " " + device.state()));
    }

    private static void addTo(ObjectNode node, Finding finding) {
        node.put("severity", finding.severity().name());
        node.put("cause", finding.cause().name());
        node.put("title", finding.cause().title());
        node.put("where", finding.where());
        node.put("seen", finding.seen());
        node.put("meaning", finding.meaning());
        node.put("remedy", finding.remedy());
        finding.fix().map(Fix::commandLine).ifPresent(fix -> node.put("fix", fix));
    }

    /** Adds the good findings. One that several hosts share is printed once. */
    private static void appendGood(StringBuilder text, Diagnosis diagnosis) {
        Map<String, String> hostsOfSeen = new LinkedHashMap<>();
        diagnosis.findings().stream()
                .filter(finding -> finding.severity() == Severity.OK)
                .forEach(finding ->
                        hostsOfSeen.merge(finding.seen(), finding.where(), (hosts, more) -> hosts + ", " + more));
        hostsOfSeen.forEach((seen, hosts) -> wrap(text, "ok       ", hosts + ": " + seen));
    }

    private static void appendProblem(StringBuilder text, Finding finding) {
        text.append(finding.severity() == Severity.FAILURE ? "FAILURE  " : "WARNING  ")
                .append(finding.where())
                .append(": ")
                .append(finding.cause().title())
                .append(". ")
                .append(finding.seen())
                .append('\n');
        wrap(text, INDENT + "means  ", finding.meaning());
        wrap(text, INDENT + "do     ", finding.remedy());
        finding.fix().ifPresent(fix -> wrap(text, INDENT + "--fix  ", fix.commandLine()));
    }

    private static void wrap(StringBuilder text, String label, String words) {
        StringBuilder line = new StringBuilder(label);
        for (String word : List.of(words.split(" ", -1))) {
            if (line.length() + word.length() > WIDTH) {
                text.append(line.toString().stripTrailing()).append('\n');
                line = new StringBuilder(" ".repeat(label.length()));
            }
            line.append(word).append(' ');
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }
}
