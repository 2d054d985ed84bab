package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.cluster.CableKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** All runs of a demo. An unknown figure stays unknown and is never shown as zero. */
public record DemoReport(String sparkRelease, int hosts, CableKind cables, long sizeBytes, List<DemoRun> runs) {
    /** The least share of RDMA on cables that work: hardly any block then has a reason to go by TCP. */
    private static final double LEAST_RDMA_SHARE = 0.99;

    /** Returns what is wrong with these results, one line each; empty if all is well. */
    public List<String> faults() {
        List<String> faults = new ArrayList<>();
        for (DemoRun run : runs) {
            String name = run.workload() + " with " + run.variant().label();
            if (!run.valid()) {
                faults.add(name + ": " + run.validation());
            }
            if (cables != CableKind.NONE && run.rdmaShare().orElse(1) < LEAST_RDMA_SHARE) {
                faults.add(name + ": only " + Figure.percent(run.rdmaShare().getAsDouble())
                        + " of the bytes from other hosts came by RDMA; the table says why");
            }
            for (Figure figure : Figure.of(runs)) {
                if (figure.appliesTo(run) && figure.of(run).isEmpty()) {
                    faults.add(name + ": no executor reported " + figure.metric());
                }
            }
        }
        return faults;
    }

    /** Returns the conclusion in one sentence. */
    public String conclusion() {
        String outputs = runs.stream().allMatch(DemoRun::valid) ? "all outputs are right" : "NOT ALL OUTPUTS ARE RIGHT";
        if (cables == CableKind.NONE) {
            return String.format("%n%nThe outcome: %s; without cables, every block went by TCP.", outputs);
        }
        String share = runs.stream().flatMapToDouble(run -> run.rdmaShare().stream()).min().stream()
                .mapToObj(Figure::percent)
                .findFirst()
                .orElse("an unknown share");
        return String.format(
                "%n%nThe outcome: %s, and with the plugin %s of the bytes from other hosts came by RDMA.%n"
                        + "Wall times over a virtual cable say nothing about a real one: this machine's own cores "
                        + "copy.",
                outputs, share);
    }

    /** Returns the report for programs: plain names, plain units, null for an unknown figure. */
    public Map<String, Object> toJson() {
        return Map.of(
                "spark",
                sparkRelease,
                "hosts",
                hosts,
                "sizeBytes",
                sizeBytes,
                "runs",
                runs.stream().map(DemoReport::toJson).toList());
    }

    private static Map<String, @Nullable Object> toJson(DemoRun run) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("job", run.workload());
        json.put("shuffle", run.variant().label());
        json.put("wallMillis", run.wallMillis());
        json.put("remoteBytes", value(run, Figure.REMOTE_BYTES));
        json.put("localBytes", value(run, Figure.LOCAL_BYTES));
        json.put("bytesByTransport", group(run, Figure.BYTES_BY_TRANSPORT));
        json.put("fallbackBlocks", group(run, Figure.FALLBACK_BLOCKS));
        json.put("fetchWaitMillis", value(run, Figure.FETCH_WAIT_MILLIS));
        json.put("executorCpuNanos", value(run, Figure.CPU_NANOS));
        json.put("agentCpuNanos", run.agentCpu().toNanos());
        json.put("valid", run.valid());
        json.put("validation", run.validation());
        return json;
    }

    private static @Nullable Long value(DemoRun run, String metric) {
        OptionalLong total = run.metrics().total(metric);
        return total.isPresent() ? total.getAsLong() : null;
    }

    private static Map<String, @Nullable Long> group(DemoRun run, String prefix) {
        Map<String, @Nullable Long> group = new LinkedHashMap<>();
        for (String name : run.metrics().names(prefix)) {
            group.put(name.substring(prefix.length()), value(run, name));
        }
        return group;
    }
}
