package io.boltshuffle.proof.bench.model;

import io.boltshuffle.draw.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The predictions for meshes of 2 to 4 Macs, which three cables on each allow, and their assumptions. */
public record ModelReport(double shuffleGigabytes, int cores, CpuCosts costs) {
    private static final int LEAST_HOSTS = 2;
    private static final int MOST_HOSTS = 4;
    private static final List<String> COLUMNS =
            List.of("hosts, fabric", "wire s", "CPU s", "shuffle s", "limit", "cores busy");

    public String toText() {
        List<String> text = new ArrayList<>();
        text.add("A PREDICTION, not a measurement: " + format(shuffleGigabytes) + " GB shuffled, all to all");
        text.add(new TextTable(COLUMNS, predictions().map(this::row).toList()).toText());
        text.add("");
        text.add("Assumed:");
        assumptions().forEach(assumption -> text.add("  - " + assumption));
        return String.join(System.lineSeparator(), text);
    }

    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", "prediction");
        json.put("shuffleGigabytes", shuffleGigabytes);
        json.put("cores", cores);
        json.put("assumptions", assumptions());
        json.put("predictions", predictions().map(ModelReport::toJson).toList());
        return json;
    }

    private static Map<String, Object> toJson(Prediction prediction) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("hosts", prediction.hosts());
        json.put("fabric", prediction.fabric().label());
        json.put("wireSeconds", prediction.wireSeconds());
        json.put("cpuSeconds", prediction.cpuSeconds());
        json.put("seconds", prediction.seconds());
        json.put("limit", prediction.limit());
        return json;
    }

    private Stream<Prediction> predictions() {
        return IntStream.rangeClosed(LEAST_HOSTS, MOST_HOSTS)
                .boxed()
                .flatMap(hosts -> Stream.of(NetworkKind.values())
                        .map(fabric -> Prediction.of(fabric, hosts, shuffleGigabytes, cores, costs)));
    }

    private List<String> row(Prediction prediction) {
        double coresBusy = cores * prediction.cpuSeconds() / prediction.seconds();
        return List.of(
                prediction.hosts() + ", " + prediction.fabric().label(),
                format(prediction.wireSeconds()),
                format(prediction.cpuSeconds()),
                format(prediction.seconds()),
                prediction.limit(),
                format(coresBusy));
    }

    private List<String> assumptions() {
        List<String> assumptions = new ArrayList<>();
        assumptions.add("CPU, both ends together: Netty " + format(costs.netty()) + " s/GB, boltshuffle "
                + format(costs.send()) + " s/GB, from " + costs.origin());
        assumptions.add("a core of a Mac does as much a second as a core of the machine that was measured on;"
                + " the kernel's work for TCP over Thunderbolt costs what it costs over loopback");
        assumptions.add(
                "work of the cable's hardware and of the driver costs a Mac no CPU; the emulator's was left out");
        for (NetworkKind fabric : NetworkKind.values()) {
            assumptions.add(
                    fabric.label() + ": " + format(fabric.gigabytesPerSecond()) + " GB/s each way; " + fabric.source());
        }
        assumptions.add("one cable between any two hosts, each used both ways at full speed at once");
        assumptions.add(
                cores + " cores of each host do nothing but fetch and serve; every host writes and reads the same"
                        + " share; files are in the page cache; blocks are of 1 MiB or more");
        assumptions.add("no time for control messages: with many small blocks they count");
        return assumptions;
    }

    private static String format(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }
}
