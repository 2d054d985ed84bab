package io.boltshuffle.cli.runtime;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.os.SystemCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Makes a Spark runtime out of the jars that PySpark's package contains. It uses pip itself, so that mirrors, proxies
 * and credentials of the user's settings apply, and what pip has in its cache is not fetched again.
 */
final class PipGatherer {
    /** PySpark 4.3.0 is an archive of 456 MB, the older releases of Spark 4 of 430 MB. */
    private static final int MEGABYTES = 456;

    /** The archive; all of it unpacked once more by pip, which reads the package's metadata; and the jars. */
    private static final int MEGABYTES_ON_DISK = 1_500;

    private static final Duration PROBE_LIMIT = Duration.ofSeconds(30);
    private static final Duration VENV_LIMIT = Duration.ofMinutes(2);

    /** Copies the jars out of the package's source archive, and no other file. */
    private static final String UNPACK = """
            import os, re, shutil, sys, tarfile
            archive, jars = sys.argv[1:]
            os.makedirs(jars)
            with tarfile.open(archive) as package:
                for member in package:
                    if member.isfile() and re.fullmatch(r"[^/]+/deps/jars/[^/]+\\.jar", member.name):
                        target = os.path.join(jars, os.path.basename(member.name))
                        with package.extractfile(member) as inside, open(target, "wb") as outside:
                            shutil.copyfileobj(inside, outside)
            """;

    private final RuntimeStaging staging;
    private final Console console;
    private final String python;

    /** @param python the program that has pip, or can make an environment that has it */
    PipGatherer(Path cache, Console console, String python) {
        this.staging = new RuntimeStaging(cache, console);
        this.console = console;
        this.python = python;
    }

    /** @param home where the runtime goes, in the cache */
    void gather(String release, Path home) {
        requirePython(release);
        console.line("gathering Spark " + release + " with pip from PySpark on the Python package index, as Maven "
                + "Central has none, into " + home + " (once, about " + MEGABYTES + " MB)");
        staging.fill(home, MEGABYTES_ON_DISK, (scratch, jars, teardown) -> {
            Path downloads = Files.createDirectories(scratch.resolve("downloads"));
            Path temporary = Files.createDirectories(scratch.resolve("tmp"));
            List<String> download = new ArrayList<>(pip(release, scratch));
            // Spark's jars run with any Python, so it does not matter which one the package asks for.
            download.addAll(List.of(
                    "download",
                    "--disable-pip-version-check",
                    "--no-input",
                    "--no-deps",
                    "--no-binary=pyspark",
                    "--ignore-requires-python",
                    "--retries=2",
                    "--dest=" + downloads,
                    "pyspark==" + release));
            run(download, release, scratch, temporary, teardown);
            console.status("  taking the jars out of the package");
            run(
                    List.of(python, "-c", UNPACK, archive(downloads, release).toString(), jars.toString()),
                    release,
                    scratch,
                    temporary,
                    teardown);
            requireRelease(release, jars.resolveSibling(""));
        });
    }

    private void requirePython(String release) {
        if (!SystemCommand.run(PROBE_LIMIT, List.of(python, "--version")).succeeded()) {
            throw BoltException.environment(
                    "Python (" + python + ") is needed to gather Spark " + release + " and is not on the PATH",
                    "install Python 3 with pip, or set SPARK_HOME to a Spark");
        }
    }

    /** Returns the command of the Python's own pip, or else of a new environment that has one. */
    private List<String> pip(String release, Path scratch) {
        if (SystemCommand.run(PROBE_LIMIT, List.of(python, "-m", "pip", "--version"))
                .succeeded()) {
            return List.of(python, "-m", "pip");
        }
        Path venv = scratch.resolve("venv");
        if (!SystemCommand.run(VENV_LIMIT, List.of(python, "-m", "venv", venv.toString()))
                .succeeded()) {
            throw BoltException.environment(
                    python + " has neither pip nor venv, and one is needed to gather Spark " + release,
                    "install one (Debian: apt-get install python3-venv), or set SPARK_HOME to a Spark");
        }
        return List.of(venv.resolve("bin/python").toString(), "-m", "pip");
    }

    /** Runs a step, and shows how much has arrived in the meantime. */
    private void run(List<String> command, String release, Path scratch, Path temporary, Teardown teardown)
            throws IOException {
        Path said = scratch.resolve("said");
        ProcessBuilder step =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
        // On the disk whose room was checked.
        step.environment().put("TMPDIR", temporary.toString());
        Process process = teardown.start(step);
        process.getOutputStream().close();
        try {
            while (!process.waitFor(1, TimeUnit.SECONDS)) {
                long megabytes = largestFile(temporary) >> 20;
                if (megabytes > 0) {
                    console.status("  " + megabytes + " of about " + MEGABYTES + " MB");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted while gathering Spark " + release);
        }
        if (process.exitValue() != 0) {
            throw PipFailure.explain(
                    release,
                    new String(Files.readAllBytes(said), StandardCharsets.UTF_8)
                            .lines()
                            .toList());
        }
    }

    /** Returns the size of what pip is fetching: the largest file, in a directory that pip changes meanwhile. */
    private static long largestFile(Path directory) {
        try (Stream<Path> files = Files.find(directory, 2, (file, facts) -> facts.isRegularFile())) {
            return files.mapToLong(file -> file.toFile().length()).max().orElse(0);
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }

    private static Path archive(Path downloads, String release) throws IOException {
        try (Stream<Path> files = Files.list(downloads)) {
            return files.filter(file -> file.toString().endsWith(".tar.gz"))
                    .findFirst()
                    .orElseThrow(() -> BoltException.environment(
                            "pip fetched no archive of pyspark " + release,
                            "look at pip's index, or set SPARK_HOME to a Spark"));
        }
    }

    private static void requireRelease(String release, Path home) {
        String found = SparkRuntime.at(home).release();
        if (!found.equals(release)) {
            throw BoltException.environment(
                    "pip's pyspark " + release + " contains Spark " + found,
                    "look at pip's index, or set SPARK_HOME to a Spark");
        }
    }
}
