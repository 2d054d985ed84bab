package io.boltshuffle.proof.bench.publish;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.conf.ByteFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The ways in which figures are shown on a page. */
enum PublishedTable {
    /** Of {@code bench stage} or {@code bench job}: a row for each piece, with every way in which stock took part. */
    COMPARISON(files -> comparison(only(files))),
    /** Of {@code bench job --like}, a file for each network: a row for each network, a column for each piece. */
    NETWORKS(PublishedTable::networks),
    /** Of {@code bench write}: a row for each case. */
    WRITE(files -> write(only(files))),
    /** Of {@code bench fetch}: a row for each point. */
    FETCH(files -> fetch(only(files))),
    /** Of {@code bench blocks}, a file for each network: a row for each kind of blocks and each size. */
    BLOCKS(PublishedTable::blocks);

    private static final Pattern NETWORK = Pattern.compile("with (.+) and a Thunderbolt 5 cable");

    /** What a comparison says of a piece besides the ways in which it was run. */
    private static final List<String> NO_CONTENDERS =
            List.of("title", "stock", "boltshuffle", "wallRatio", "cpuRatio", "holds");

    @SuppressWarnings("ImmutableEnumChecker") // functions that capture nothing
    private final Function<List<FiguresFile>, List<List<String>>> rows;

    PublishedTable(Function<List<FiguresFile>, List<List<String>>> rows) {
        this.rows = rows;
    }

    static PublishedTable of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** Returns the table in Markdown. */
    String of(List<FiguresFile> files) {
        List<List<String>> all = rows.apply(files);
        String rule = all.get(0).stream().map(column -> "---").collect(Collectors.joining(" | ", "| ", " |"));
        return Stream.concat(
                        Stream.of(line(all.get(0)), rule), all.stream().skip(1).map(PublishedTable::line))
                .collect(Collectors.joining("\n"));
    }

    private static String line(List<String> cells) {
        return cells.stream()
                .map(cell -> cell.isEmpty() ? " |" : " " + cell + " |")
                .collect(Collectors.joining("", "|", ""));
    }

    private static FiguresFile only(List<FiguresFile> files) {
        if (files.size() != 1) {
            throw new IllegalArgumentException("a table of one file, not of " + files);
        }
        return files.get(0);
    }

    private static List<List<String>> comparison(FiguresFile file) {
        List<JsonNode> pieces = elements(file.at("/comparisons"));
        List<String> contenders = names(pieces.get(0)).stream()
                .filter(name -> !NO_CONTENDERS.contains(name) && !name.endsWith("WallRatio"))
                .toList();
        List<List<String>> rows = new ArrayList<>();
        rows.add(row(
                "",
                "stock",
                contenders,
                PublishedTable::title,
                "boltshuffle",
                "of stock's time",
                name -> "of that of " + title(name),
                "CPU, of stock's"));
        for (JsonNode piece : pieces) {
            rows.add(row(
                    piece.at("/title").asText(),
                    spread(piece, "/stock/wallSeconds"),
                    contenders,
                    name -> spread(piece, "/" + name + "/wallSeconds"),
                    spread(piece, "/boltshuffle/wallSeconds"),
                    ratio(piece, "/wallRatio"),
                    name -> ratio(piece, "/" + name + "WallRatio"),
                    ratio(piece, "/cpuRatio")));
        }
        JsonNode total = file.at("/total");
        double stock = total.at("/stockSeconds").asDouble();
        double ours = stock * total.at("/wallRatio").asDouble();
        rows.add(row(
                "all",
                number(stock),
                contenders,
                name -> total.has(name + "WallRatio")
                        ? number(ours / total.at("/" + name + "WallRatio").asDouble())
                        : "",
                number(ours),
                ratio(total, "/wallRatio"),
                name -> ratio(total, "/" + name + "WallRatio"),
                ratio(total, "/cpuRatio")));
        return rows;
    }

    private static List<String> row(
            String title,
            String stock,
            List<String> contenders,
            Function<String, String> ofContender,
            String boltshuffle,
            String toStock,
            Function<String, String> toContender,
            String cpu) {
        return Stream.of(
                        Stream.of(title, stock),
                        contenders.stream().map(ofContender),
                        Stream.of(boltshuffle, toStock),
                        contenders.stream().map(toContender),
                        Stream.of(cpu))
                .flatMap(Function.identity())
                .toList();
    }

    /** Returns how a page names a way to run stock Spark. */
    private static String title(String contender) {
        return switch (contender) {
            case "tuned" -> "stock tuned by hand";
            case "tmpfs" -> "stock on tmpfs";
            default -> "stock with " + contender;
        };
    }

    private static List<List<String>> networks(List<FiguresFile> files) {
        List<String> titles = elements(files.get(0).at("/comparisons")).stream()
                .map(piece -> piece.at("/title").asText())
                .toList();
        List<List<String>> rows = new ArrayList<>();
        rows.add(Stream.of(Stream.of("which network do you have?"), titles.stream(), Stream.of("all"))
                .flatMap(Function.identity())
                .toList());
        for (FiguresFile file : files) {
            Map<String, JsonNode> pieces = new TreeMap<>();
            elements(file.at("/comparisons"))
                    .forEach(piece -> pieces.put(piece.at("/title").asText(), piece));
            if (!pieces.keySet().containsAll(titles)) {
                throw new IllegalStateException(file.name() + " has only " + pieces.keySet() + " of " + titles);
            }
            List<String> row = new ArrayList<>(List.of(network(file)));
            titles.forEach(title -> row.add(spread(pieces.get(title), "/stock/wallSeconds") + " / "
                    + spread(pieces.get(title), "/boltshuffle/wallSeconds") + ": "
                    + ratio(pieces.get(title), "/wallRatio")));
            double stock = file.number("/total/stockSeconds");
            row.add(pair(stock, stock * file.number("/total/wallRatio")));
            rows.add(row);
        }
        return rows;
    }

    private static String network(FiguresFile file) {
        String title = file.at("/network/title").asText();
        Matcher matcher = NETWORK.matcher(title);
        return matcher.find() ? matcher.group(1) : title;
    }

    private static List<List<String>> write(FiguresFile file) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "map tasks x partitions",
                "stock",
                "stock, serialized",
                "boltshuffle",
                "of stock's time",
                "of the better one's"));
        for (JsonNode each : elements(file.at("/cases"))) {
            rows.add(List.of(
                    each.at("/shape").asText() + ", " + each.at("/codec").asText(),
                    spread(each, "/stock/seconds"),
                    spread(each, "/serialized/seconds"),
                    spread(each, "/boltshuffle/seconds"),
                    ratio(each, "/toStock"),
                    ratio(each, "/toBetter")));
        }
        return rows;
    }

    private static List<List<String>> blocks(List<FiguresFile> files) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "network",
                "blocks",
                "ms",
                "stock",
                "of stock's time",
                "99th percentile, of stock's",
                "CPU, of stock's",
                "heap, of stock's"));
        for (FiguresFile file : files) {
            for (JsonNode point : elements(file.at("/points"))) {
                rows.add(List.of(
                        file.document().has("network") ? network(file) : "loopback",
                        point.at("/work").asText() + ", "
                                + ByteFigures.bytes(point.at("/bytes").asLong()),
                        spread(point, "/boltshuffle/millis"),
                        spread(point, "/stock/millis"),
                        ratio(point, "/timeRatio"),
                        ratio(point, "/p99Ratio"),
                        ratio(point, "/cpuRatio"),
                        number(point.at("/boltshuffle/heapRatio/median").asDouble()
                                / point.at("/stock/heapRatio/median").asDouble())));
            }
        }
        return rows;
    }

    private static List<List<String>> fetch(FiguresFile file) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "blocks",
                "cables",
                "TCP",
                "Netty",
                "fetchers",
                "GB/s",
                "Netty's",
                "CPU s/GB",
                "Netty's",
                "ratio",
                "p99 ms",
                "Netty's"));
        for (JsonNode point : elements(file.at("/points"))) {
            rows.add(List.of(
                    blocks(point.at("/blockBytes").asLong()),
                    point.at("/cables").asText(),
                    point.path("path").asText("loopback"),
                    point.path("baseline").asText("default"),
                    point.at("/fetchers").asText(),
                    figure(point, "/boltshuffle/gigabytesPerSecond"),
                    figure(point, "/stock/gigabytesPerSecond"),
                    figure(point, "/boltshuffle/cpuSecondsPerGigabyte"),
                    figure(point, "/stock/cpuSecondsPerGigabyte"),
                    ratio(point, "/cpuRatio"),
                    figure(point, "/boltshuffle/p99Millis"),
                    figure(point, "/stock/p99Millis")));
        }
        return rows;
    }

    private static String figure(JsonNode point, String pointer) {
        return number(median(point, pointer));
    }

    private static String blocks(long bytes) {
        return bytes < 1 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
    }

    private static String pair(double stock, double boltshuffle) {
        return number(stock) + " / " + number(boltshuffle) + ": **" + number(boltshuffle / stock) + "**";
    }

    private static String spread(JsonNode node, String pointer) {
        return node.at(pointer).isMissingNode()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%.2f (%.2f to %.2f)",
                        median(node, pointer),
                        node.at(pointer + "/least").asDouble(),
                        node.at(pointer + "/most").asDouble());
    }

    private static double median(JsonNode node, String pointer) {
        if (node.at(pointer + "/median").isMissingNode()) {
            throw new IllegalStateException("no median at " + pointer);
        }
        return node.at(pointer + "/median").asDouble();
    }

    private static String ratio(JsonNode node, String pointer) {
        return node.at(pointer).isMissingNode()
                ? ""
                : "**" + number(node.at(pointer).asDouble()) + "**";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static List<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** Returns the words that a page may use. */
    static String words() {
        return Arrays.stream(values())
                .map(table -> table.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining("|"));
    }
}
