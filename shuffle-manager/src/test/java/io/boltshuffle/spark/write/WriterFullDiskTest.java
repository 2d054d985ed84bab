package io.boltshuffle.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file system of a few megabytes, in a mount namespace of its own: only the program in it sees it, and it goes with
 * it.
 */
@Tag("slow")
class WriterFullDiskTest {
    private static final String SIZE = "16m";

    /** The test mounts as root, or as a user where the kernel lets one have a namespace. */
    private static final List<List<String>> WAYS =
            List.of(List.of("unshare", "--mount"), List.of("unshare", "--map-root-user", "--mount"));

    private final Path directory;

    WriterFullDiskTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void onAFullDiskATaskFailsAsWithSparksWriterAndLeavesNothing() throws Exception {
        Optional<List<String>> way = WAYS.stream().filter(this::canMount).findFirst();
        assumeThat(way)
                .as("a way to mount a small file system: root, or a namespace of a user")
                .isPresent();

        Ended program = run(way.orElseThrow(), java(), 5);

        assertThat(program.exitCode()).as(program.output()).isZero();
        assertThat(program.output()).contains(FullDiskProgram.SUCCESS);
    }

    private record Ended(int exitCode, String output) {}

    private boolean canMount(List<String> way) {
        try {
            return run(way, List.of("true"), 1).exitCode() == 0;
        } catch (IOException e) {
            return false; // there is no such program
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs a command with a small file system mounted on the directory. */
    private Ended run(List<String> way, List<String> command, int minutes) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(way);
        words.addAll(List.of(
                "sh", "-c", "mount -t tmpfs -o size=" + SIZE + " tmpfs \"$0\" && exec \"$@\"", directory.toString()));
        words.addAll(command);
        Path log = directory.resolveSibling(directory.getFileName() + ".log");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            boolean ended = process.waitFor(minutes, TimeUnit.MINUTES);
            String output = Files.readString(log, StandardCharsets.UTF_8);
            return new Ended(ended ? process.exitValue() : -1, output);
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(log);
        }
    }

    private List<String> java() {
        Stream<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--add-opens"));
        return Stream.of(
                        Stream.of(Path.of(System.getProperty("java.home"), "bin", "java")
                                .toString()),
                        options,
                        Stream.of(
                                "-Xmx512m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                FullDiskProgram.class.getName(),
                                directory.toString()))
                .flatMap(words -> words)
                .toList();
    }
}
