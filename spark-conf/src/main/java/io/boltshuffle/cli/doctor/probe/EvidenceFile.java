package io.boltshuffle.cli.doctor.probe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads and writes evidence as a text file, one for each host, which a person can read and which is small enough for a
 * bug report. {@code --from} reads it back. It has a section for each command; sections of commands that this version
 * does not know are skipped.
 */
public final class EvidenceFile {

    public static final String SUFFIX = ".evidence.txt";

    private static final long MAX_FILE_BYTES = 64L << 20;
    private static final int MAX_HOSTS = 64;
    private static final String UNSAFE_IN_A_NAME = "[^A-Za-z0-9._-]";
    private static final Pattern SECTION =
            Pattern.compile("=====\\[ (\\S+) ]===== (\\w+)(?: exit=(-?\\d{1,6}))?(?: stderr)?(?:: .*)?");
    private static final String SECTION_START = "=====[ ";
    private static final String ESCAPE = "\\";

    private EvidenceFile() {}

    /** Writes {@code <host>.evidence.txt} into the directory. */
    public static Path write(Evidence evidence, Path directory) throws IOException {
        Files.createDirectories(directory);
        Path file = directory.resolve(evidence.host().replaceAll(UNSAFE_IN_A_NAME, "_") + SUFFIX);
        return Files.writeString(file, format(evidence));
    }

    /** Reads all evidence files of a directory, by file name. */
    public static List<Evidence> readAll(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> listed = Files.list(directory)) {
            files = listed.filter(file -> file.getFileName().toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        }
        if (files.isEmpty() || files.size() > MAX_HOSTS) {
            throw new IOException(
                    directory + " has " + files.size() + " files *" + SUFFIX + ", expected 1 to " + MAX_HOSTS);
        }
        List<Evidence> evidence = new ArrayList<>();
        for (Path file : files) {
            evidence.add(read(file));
        }
        return evidence;
    }

    static Evidence read(Path file) throws IOException {
        if (Files.size(file) > MAX_FILE_BYTES) {
            throw new IOException(file + " is larger than " + MAX_FILE_BYTES + " bytes");
        }
        String name = file.getFileName().toString();
        String host = name.substring(0, name.length() - SUFFIX.length());
        if (!host.replaceAll(UNSAFE_IN_A_NAME, "").equals(host) || host.isEmpty()) {
            throw new IOException(
                    file + " is not named after a host: letters, digits, dots and dashes before " + SUFFIX);
        }
        return parse(host, new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    }

    public static String format(Evidence evidence) {
        StringBuilder text = new StringBuilder();
        evidence.outcomes().forEach((command, outcome) -> {
            String head = SECTION_START + command.key() + " ]===== "
                    + outcome.ending().name().toLowerCase(Locale.ROOT) + " exit=" + outcome.exitCode();
            text.append(head).append(": ").append(command.commandLine()).append('\n');
            appendBody(text, outcome.stdout());
            if (!outcome.stderr().isEmpty()) {
                text.append(head).append(" stderr\n");
                appendBody(text, outcome.stderr());
            }
        });
        return text.toString();
    }

    /** Parses evidence. It never fails: text that is not a section belongs to the section before it. */
    public static Evidence parse(String host, String text) {
        Map<ProbeCommand, Outcome> outcomes = new EnumMap<>(ProbeCommand.class);
        Section section = new Section("", "", 0, false);
        for (String line : text.lines().toList()) {
            Matcher start = SECTION.matcher(line);
            if (start.matches()) {
                section.addTo(outcomes);
                section = Section.start(start, line);
            } else {
                section.body.append(unescape(line)).append('\n');
            }
        }
        section.addTo(outcomes);
        return new Evidence(host, outcomes);
    }

    private static void appendBody(StringBuilder text, String body) {
        body.lines().forEach(line -> {
            if (line.startsWith(SECTION_START) || line.startsWith(ESCAPE)) {
                text.append(ESCAPE);
            }
            text.append(line).append('\n');
        });
    }

    private static String unescape(String line) {
        return line.startsWith(ESCAPE) ? line.substring(ESCAPE.length()) : line;
    }

    /** Holds one section while it is read. */
    private record Section(String key, String ending, int exitCode, boolean stderr, StringBuilder body) {

        Section(String key, String ending, int exitCode, boolean stderr) {
            this(key, ending, exitCode, stderr, new StringBuilder());
        }

        static Section start(Matcher start, String line) {
            int exitCode = start.group(3) == null ? 0 : Integer.parseInt(start.group(3));
            return new Section(start.group(1), start.group(2), exitCode, line.endsWith(" stderr"));
        }

        void addTo(Map<ProbeCommand, Outcome> outcomes) {
            ProbeCommand.ofKey(key).ifPresent(command -> outcomes.merge(command, outcome(), Section::withStderr));
        }

        private Outcome outcome() {
            Outcome.Ending parsed = Stream.of(Outcome.Ending.values())
                    .filter(value -> value.name().equalsIgnoreCase(ending))
                    .findFirst()
                    .orElse(Outcome.Ending.NOT_RUN);
            return new Outcome(parsed, exitCode, stderr ? "" : body.toString(), stderr ? body.toString() : "");
        }

        private static Outcome withStderr(Outcome first, Outcome second) {
            return new Outcome(first.ending(), first.exitCode(), first.stdout(), second.stderr());
        }
    }
}
