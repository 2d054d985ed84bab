package io.boltshuffle.proof.conformance;

import io.boltshuffle.cli.base.BoltException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A folder of runs, {@code RELEASE/SUITE/VARIANT-NUMBER}, each with the files that ScalaTest and the JVMs wrote. What
 * agents had not got back after a suite stands beside its runs.
 */
record ResultFolder(Path root) {
    private static final String LEAKS = "leaks.txt";

    /** Makes a directory for a run. */
    SuiteDirectory create(String release, Suite suite, SuiteVariant variant, Map<String, String> settings) {
        return SuiteDirectory.create(
                of(release, suite)
                        .resolve(variant.label() + "-" + System.nanoTime())
                        .toAbsolutePath(),
                settings);
    }

    void addLeaks(String release, Suite suite, List<String> leaks) {
        try {
            if (!leaks.isEmpty()) {
                Files.write(
                        of(release, suite).resolve(LEAKS), leaks, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path of(String release, Suite suite) {
        return root.resolve(release).resolve(suite.className());
    }

    /** Reads what several commands ran: runs of one suite and variant are a run and its repetitions. */
    static List<SuiteResult> read(List<Path> roots) {
        Map<String, Map<String, SuiteResult>> results = new TreeMap<>(Comparator.reverseOrder());
        for (Path root : roots) {
            if (!Files.isDirectory(root)) {
                throw BoltException.usage("there is no folder " + root);
            }
            for (Path release : children(root)) {
                for (Path suite : children(release)) {
                    String name = suite.getFileName().toString();
                    results.computeIfAbsent(release.getFileName().toString(), any -> new TreeMap<>())
                            .merge(name, read(release.getFileName().toString(), suite), ResultFolder::and);
                }
            }
        }
        List<Suite> order = SuiteCatalogue.all();
        return results.values().stream()
                .flatMap(ofRelease -> ofRelease.values().stream()
                        .sorted(Comparator.comparingInt(result -> order.indexOf(result.suite()))))
                .toList();
    }

    private static SuiteResult read(String release, Path folder) {
        SuiteResult result = new SuiteResult(
                release, SuiteCatalogue.of(folder.getFileName().toString()), Map.of(), leaks(folder.resolve(LEAKS)));
        for (Path run : children(folder)) {
            SuiteDirectory directory = new SuiteDirectory(run);
            if (directory.hasEnded()) {
                String name = run.getFileName().toString();
                result = result.and(SuiteVariant.of(name.substring(0, name.indexOf('-'))), SuiteRun.read(directory));
            }
        }
        return result;
    }

    private static SuiteResult and(SuiteResult one, SuiteResult other) {
        List<String> leaks = new ArrayList<>(one.leaks());
        leaks.addAll(other.leaks());
        SuiteResult both = new SuiteResult(one.release(), one.suite(), one.variants(), leaks);
        for (Map.Entry<SuiteVariant, SuiteRuns> runs : other.variants().entrySet()) {
            for (SuiteRun run : runs.getValue().runs()) {
                both = both.and(runs.getKey(), run);
            }
        }
        return both;
    }

    private static List<String> leaks(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> children(Path directory) {
        try (Stream<Path> children = Files.list(directory)) {
            return children.filter(Files::isDirectory).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
