package io.boltshuffle.cli.verify;

import io.boltshuffle.cli.verify.AbiReport.Compared;
import io.boltshuffle.cli.verify.AbiReport.NotRun;
import io.boltshuffle.cli.verify.AbiReport.Row;
import io.boltshuffle.cli.verify.AbiReport.Verdict;
import io.boltshuffle.cli.verify.AbiTable.KnownDifference;
import io.boltshuffle.os.SystemCommand;
import io.boltshuffle.os.SystemCommand.Result;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares the numbers of this binding with the verbs header of this machine: it compiles and runs the C program that
 * is shipped with it. The audit needs a C compiler and the header, and touches no device.
 */
final class AbiAudit {

    private static final String SOURCE = "abi_audit.c";
    private static final Duration STEP = Duration.ofSeconds(60);

    private AbiAudit() {}

    /**
     * Runs the audit.
     *
     * @param directory an empty directory, which the caller removes
     * @throws IOException if the directory cannot be written
     */
    static AbiReport run(Path directory) throws IOException {
        return run(directory, "cc");
    }

    static AbiReport run(Path directory, String compiler) throws IOException {
        Path source = directory.resolve(SOURCE);
        Path program = directory.resolve("abi_audit");
        try (InputStream shipped = Objects.requireNonNull(AbiAudit.class.getResourceAsStream(SOURCE), SOURCE)) {
            Files.copy(shipped, source);
        }
        Result compile = step(directory, List.of(compiler, "-o", program.toString(), source.toString()));
        if (!compile.succeeded()) {
            return new NotRun(
                    "the audit program does not compile here: " + whyNot(compiler, compile),
                    "install a C compiler and the verbs header (Debian: gcc libibverbs-dev; macOS 26.2: the Xcode "
                            + "command line tools)");
        }
        Result print = step(directory, List.of(program.toString()));
        if (!print.succeeded()) {
            return new NotRun("the audit program failed: " + whyNot(program.toString(), print), "report this");
        }
        return compare(AbiTable.entries(), parse(print.stdout()));
    }

    private static Result step(Path directory, List<String> command) {
        return SystemCommand.run(STEP, new ProcessBuilder(command).directory(directory.toFile()));
    }

    private static String whyNot(String program, Result result) {
        return switch (result.ending()) {
            case NOT_STARTED -> program + " cannot be started";
            case TIMED_OUT -> program + " did not end within " + STEP.toSeconds() + " s";
            case INTERRUPTED -> "interrupted";
            case ENDED -> firstError(result.stdout() + result.stderr());
        };
    }

    static Map<String, Long> parse(String output) {
        Map<String, Long> numbers = new TreeMap<>();
        for (String line : output.lines().toList()) {
            String[] words = line.split(" ", -1);
            if (words.length != 2) {
                throw new IllegalArgumentException("not a line of the audit: " + line);
            }
            numbers.put(words[0], Long.valueOf(words[1]));
        }
        return numbers;
    }

    static Compared compare(Map<String, Long> ours, Map<String, Long> header) {
        TreeSet<String> names = new TreeSet<>(ours.keySet());
        names.addAll(header.keySet());
        List<Row> rows = new ArrayList<>();
        for (String name : names) {
            rows.add(row(name, ours.get(name), header.get(name)));
        }
        return new Compared(List.copyOf(rows));
    }

    private static Row row(String name, @Nullable Long ours, @Nullable Long header) {
        KnownDifference known = AbiTable.KNOWN_DIFFERENCES.get(name);
        Verdict verdict = Verdict.MISMATCH;
        String note = "";
        if (ours != null && ours.equals(header)) {
            verdict = Verdict.EQUAL;
        } else if (known != null && header != null && known.others().contains(header)) {
            verdict = Verdict.KNOWN_DIFFERENCE;
            note = known.reason();
        }
        return new Row(name, optional(ours), optional(header), verdict, note);
    }

    private static OptionalLong optional(@Nullable Long value) {
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    private static String firstError(String output) {
        return output.lines()
                .filter(line -> line.contains("error"))
                .findFirst()
                .orElse(output.lines().findFirst().orElse("no output"));
    }
}
