package io.boltshuffle.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A browser without a window, with a profile of its own. */
record Chromium(Path program, Path profile) {
    private static final int WIDTH = 1280;
    private static final int HEIGHT = 1700;

    /** The browser on this machine's path, if there is one. */
    static Optional<Path> find() {
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name ->
                        Arrays.stream(System.getenv("PATH").split(":", -1)).map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The page as it stands after it was loaded. */
    String dom(String url, String... options) throws IOException, InterruptedException {
        Path out = profile.resolveSibling("dom.html");
        run(out, List.of("--dump-dom"), url, options);
        return Files.readString(out);
    }

    void screenshot(String url, Path png, String... options) throws IOException, InterruptedException {
        run(profile.resolveSibling("out"), List.of("--screenshot=" + png, "--hide-scrollbars"), url, options);
    }

    private void run(Path out, List<String> task, String url, String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--user-data-dir=" + profile,
                "--window-size=" + WIDTH + "," + HEIGHT));
        command.addAll(task);
        command.addAll(List.of(options));
        command.add(url);
        Path log = profile.resolveSibling("browser.log");
        Process browser = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(log.toFile())
                .start();
        try {
            assertThat(browser.waitFor(120, TimeUnit.SECONDS))
                    .as("the browser ends in time")
                    .isTrue();
            assertThat(browser.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            browser.descendants().forEach(ProcessHandle::destroyForcibly);
            browser.destroyForcibly();
        }
    }
}
