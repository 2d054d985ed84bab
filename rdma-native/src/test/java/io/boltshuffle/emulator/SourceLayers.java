package io.boltshuffle.emulator;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The emulator's C files as layers: which file is in which, and which file uses which, by an {@code #include} or by a
 * symbol that another one's object defines.
 *
 * <p>A header and its source are one file here, named by their path without the ending. The layer stands at the
 * beginning of the header, or of the source where there is no header: {@code Layer 3, fabric.}
 */
final class SourceLayers {
    private static final Pattern PLACE = Pattern.compile("\\A/\\*\\s+(?:\\* )?Layer (\\d+), (\\w+)\\.");
    private static final Pattern INCLUDE = Pattern.compile("^#include \"(.+)\"", Pattern.MULTILINE);

    /** Each program has one of its own, which no other file uses. */
    private static final Pattern MAIN = Pattern.compile("_?main");

    private final SortedMap<String, Layer> layers = new TreeMap<>();
    private final List<Arrow> arrows = new ArrayList<>();
    private final List<String> objections = new ArrayList<>();

    /**
     * Reads the files.
     *
     * @param sources the text of each header and source, by its path
     * @param symbols what {@code nm -P -g} says about each source's object, by the source's path
     */
    SourceLayers(Map<String, String> sources, Map<String, String> symbols) {
        SortedMap<String, String> sorted = new TreeMap<>(sources);
        sorted.forEach((path, text) -> {
            if (path.endsWith(".h") || !sources.containsKey(name(path) + ".h")) {
                place(path, text);
            }
        });
        sorted.forEach(this::addIncludes);
        addUses(new TreeMap<>(symbols));
        checkNames();
        arrows.forEach(this::checkDirection);
        layers.keySet().forEach(this::checkForCircle);
    }

    /** Returns what is wrong, in a sentence each. */
    List<String> objections() {
        return objections;
    }

    /** The files of each layer. */
    SortedMap<Layer, List<String>> files() {
        SortedMap<Layer, List<String>> files = new TreeMap<>();
        layers.forEach((file, layer) ->
                files.computeIfAbsent(layer, any -> new ArrayList<>()).add(file));
        return files;
    }

    /** Returns the files that a file uses by their symbols. */
    List<String> calledBy(String file) {
        return arrows.stream()
                .filter(arrow -> arrow.from().equals(file) && arrow.how().contains(" uses "))
                .map(Arrow::to)
                .distinct()
                .sorted()
                .toList();
    }

    private void place(String path, String text) {
        Matcher place = PLACE.matcher(text);
        if (place.find()) {
            layers.put(name(path), new Layer(Integer.parseInt(place.group(1)), place.group(2)));
        } else {
            objections.add(path + " does not begin with its layer");
        }
    }

    private void addIncludes(String path, String text) {
        for (Matcher include = INCLUDE.matcher(text); include.find(); ) {
            String target =
                    Path.of(path).resolveSibling(include.group(1)).normalize().toString();
            addArrow(name(path), name(target), path + " includes " + target);
        }
    }

    private void addUses(SortedMap<String, String> symbols) {
        Map<String, String> definedIn = new HashMap<>();
        symbols.forEach((path, listing) -> symbolsOf(listing)
                .filter(symbol -> !symbol.isUndefined())
                .forEach(symbol -> definedIn.put(symbol.name(), name(path))));
        symbols.forEach((path, listing) -> symbolsOf(listing)
                .filter(Symbol::isUndefined)
                .forEach(symbol -> {
                    Optional.ofNullable(definedIn.get(symbol.name()))
                            .ifPresent(target ->
                                    addArrow(name(path), target, path + " uses " + symbol.name() + " of " + target));
                }));
    }

    private void addArrow(String from, String to, String how) {
        if (!from.equals(to)) {
            arrows.add(new Arrow(from, to, how));
        }
    }

    private void checkNames() {
        Map<Integer, String> names = new TreeMap<>();
        layers.forEach((file, layer) -> {
            String other = names.putIfAbsent(layer.number(), layer.name());
            if (other != null && !other.equals(layer.name())) {
                objections.add(file + " calls layer " + layer.number() + " " + layer.name() + ", others " + other);
            }
        });
    }

    private void checkDirection(Arrow arrow) {
        Layer from = layers.get(arrow.from());
        Layer to = layers.get(arrow.to());
        if (from != null && to != null && to.number() > from.number()) {
            objections.add(arrow.how() + ", up from layer " + from.number() + " to " + to.number());
        }
    }

    /**
     * Arrows that run up are named already; what is left to find is a circle inside a layer, named at its first file.
     */
    private void checkForCircle(String start) {
        Deque<List<String>> ways = new ArrayDeque<>(List.of(List.of(start)));
        Set<String> seen = new HashSet<>();
        while (!ways.isEmpty()) {
            List<String> way = ways.removeFirst();
            for (String next : neighbours(way.get(way.size() - 1))) {
                List<String> longer = new ArrayList<>(way);
                longer.add(next);
                if (next.equals(start)) {
                    objections.add("a circle: " + String.join(" -> ", longer));
                    return;
                }
                if (next.compareTo(start) > 0 && seen.add(next)) {
                    ways.addLast(longer);
                }
            }
        }
    }

    private List<String> neighbours(String file) {
        return arrows.stream()
                .filter(arrow -> arrow.from().equals(file))
                .map(Arrow::to)
                .filter(to -> layers.containsKey(to) && layers.get(to).equals(layers.get(file)))
                .distinct()
                .toList();
    }

    private static Stream<Symbol> symbolsOf(String listing) {
        return listing.lines()
                .map(line -> line.split(" ", -1))
                .filter(words -> words.length > 1)
                .map(words -> new Symbol(words[0], words[1]))
                .filter(symbol -> !MAIN.matcher(symbol.name()).matches());
    }

    private static String name(String path) {
        return path.substring(0, path.lastIndexOf('.'));
    }

    record Layer(int number, String name) implements Comparable<Layer> {
        @Override
        public int compareTo(Layer other) {
            return Integer.compare(number, other.number);
        }
    }

    private record Arrow(String from, String to, String how) {}

    private record Symbol(String name, String type) {
        boolean isUndefined() {
            return type.equals("U") || type.equals("w") || type.equals("v");
        }
    }
}
