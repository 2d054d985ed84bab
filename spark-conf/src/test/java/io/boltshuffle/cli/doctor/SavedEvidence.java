package io.boltshuffle.cli.doctor;

import io.boltshuffle.cli.doctor.check.Cluster;
import io.boltshuffle.cli.doctor.fabric.Fabric;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.probe.Evidence;
import io.boltshuffle.cli.doctor.probe.EvidenceFile;
import io.boltshuffle.cli.doctor.probe.Outcome;
import io.boltshuffle.cli.doctor.probe.ProbeCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The saved evidence under {@code src/test/resources/doctor}; its README says what it is worth. */
public final class SavedEvidence {

    private SavedEvidence() {}

    public static List<Evidence> healthy(String name) {
        return read(root().resolve("healthy").resolve(name));
    }

    /** The named hosts of the fault's healthy base, with the sections the fault replaces. */
    public static List<Evidence> fault(String name) {
        Path directory = root().resolve("faults").resolve(name);
        String[] base = text(directory.resolve("base.txt")).strip().split(" ", -1);
        return read(root().resolve(base[0])).stream()
                .filter(evidence -> List.of(base).subList(1, base.length).contains(evidence.host()))
                .map(evidence -> overlaid(evidence, directory.resolve(evidence.host() + EvidenceFile.SUFFIX)))
                .toList();
    }

    public static List<String> names(String kind) {
        try (Stream<Path> directories = Files.list(root().resolve(kind))) {
            return directories
                    .map(path -> path.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Fabric fabric(List<Evidence> evidence) {
        return Fabric.discover(evidence.stream().map(HostFacts::new).toList());
    }

    public static Cluster cluster(List<Evidence> evidence) {
        return new Cluster(fabric(evidence), Optional.empty());
    }

    private static Evidence overlaid(Evidence base, Path file) {
        if (!Files.exists(file)) {
            return base;
        }
        Map<ProbeCommand, Outcome> outcomes = new EnumMap<>(base.outcomes());
        outcomes.putAll(EvidenceFile.parse(base.host(), text(file)).outcomes());
        return new Evidence(base.host(), outcomes);
    }

    private static List<Evidence> read(Path directory) {
        try {
            return EvidenceFile.readAll(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        try {
            return Path.of(Objects.requireNonNull(SavedEvidence.class.getResource("/doctor"))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
