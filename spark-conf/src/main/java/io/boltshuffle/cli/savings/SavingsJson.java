package io.boltshuffle.cli.savings;

import io.boltshuffle.cli.savings.log.ApplicationSums;
import io.boltshuffle.cli.savings.log.StageSums;
import io.boltshuffle.cli.savings.model.ApplicationEstimate;
import io.boltshuffle.cli.savings.model.Network;
import io.boltshuffle.cli.savings.model.Range;
import io.boltshuffle.cli.savings.model.StageEstimate;
import io.boltshuffle.draw.Figures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The report for programs: plain names, plain units, null for what is not known. */
final class SavingsJson {
    private SavingsJson() {}

    static Map<String, Object> of(Savings report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", "estimate");
        json.put("network", report.model().network().name());
        json.put("cable", report.model().cable().name());
        json.put("assumptions", report.assumptions());
        json.put(
                "applications",
                Stream.concat(report.applications().stream(), report.others().stream())
                        .map(SavingsJson::application)
                        .toList());
        json.put(
                "onNetworks",
                Network.NETWORKS.stream()
                        .filter(network -> !network.equals(Network.LOOPBACK))
                        .map(network -> network(network, report.on(network)))
                        .toList());
        json.put("saved", saved(report.applications()));
        json.put("answer", report.answer());
        return json;
    }

    private static Map<String, Object> network(Network network, List<ApplicationEstimate> estimates) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("network", network.name());
        json.put("saved", saved(estimates));
        return json;
    }

    private static Map<String, Object> saved(List<ApplicationEstimate> estimates) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("taskSeconds", range(Savings.sum(estimates, ApplicationEstimate::taskSeconds)));
        json.put("jobSeconds", range(Savings.sum(estimates, ApplicationEstimate::jobSeconds)));
        return json;
    }

    private static Map<String, @Nullable Object> application(ApplicationEstimate estimate) {
        ApplicationSums application = estimate.application();
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("log", application.log());
        json.put("id", application.id());
        json.put("name", application.name());
        json.put("sparkVersion", application.sparkVersion());
        json.put("seconds", application.millis() / 1e3);
        json.put("hosts", application.hosts());
        json.put("cores", known(application.cores()));
        json.put("estimated", estimate.stock());
        json.put("incomplete", application.gaps());
        json.put("notes", estimate.notes());
        json.put("saved", saved(List.of(estimate)));
        json.put("stages", estimate.stages().stream().map(SavingsJson::stage).toList());
        return json;
    }

    private static Map<String, @Nullable Object> stage(StageEstimate estimate) {
        StageSums stage = estimate.stage();
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("id", stage.id());
        json.put("name", stage.name());
        json.put("tasks", stage.tasks().ended());
        json.put("failedTasks", stage.tasks().failed());
        json.put("taskSeconds", stage.tasks().millis() / 1e3);
        json.put("wallSeconds", stage.wallMillis() / 1e3);
        json.put("writer", Figures.words(stage.write().writer().name()));
        json.put("partitions", known(stage.write().partitions()));
        json.put("writtenBytes", stage.write().bytes());
        json.put("writtenRecords", stage.write().records());
        json.put("writtenRows", stage.write().rows());
        json.put("temporaryFilesAtMost", stage.write().temporaryFiles());
        json.put("writeSeconds", stage.write().nanos() / 1e9);
        json.put("localBytes", stage.read().localBytes());
        json.put("remoteBytes", stage.read().remoteBytes());
        json.put("localBlocks", stage.read().localBlocks());
        json.put("remoteBlocks", stage.read().remoteBlocks());
        json.put("fetchWaitSeconds", stage.read().waitMillis() / 1e3);
        json.put("remoteRequestSeconds", stage.read().requestMillis() / 1e3);
        json.put("memorySpilledBytes", stage.spill().memoryBytes());
        json.put("diskSpilledBytes", stage.spill().diskBytes());
        Map<String, Object> saved = new LinkedHashMap<>();
        saved.put("fetchSeconds", range(estimate.fetchSeconds()));
        saved.put("writeSeconds", range(estimate.writeSeconds()));
        saved.put("fileSeconds", range(estimate.fileSeconds()));
        saved.put("rowSeconds", range(estimate.rowSeconds()));
        saved.put("jobSeconds", range(estimate.jobSeconds()));
        json.put("saved", saved);
        return json;
    }

    private static @Nullable Integer known(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : null;
    }

    private static Map<String, Double> range(Range range) {
        Map<String, Double> json = new LinkedHashMap<>();
        json.put("low", range.low());
        json.put("high", range.high());
        return json;
    }
}
