package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.TextOutput;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --report} also writes the results as a page. */
final class ReportOption {
    @Option(names = "--report", paramLabel = "FILE", description = "Write a page, too.")
    private @Nullable Path page;

    /** Writes the page if the user asked for one. */
    void write(Supplier<String> html, Console console) {
        if (page != null) {
            TextOutput.write(page, html.get());
            console.line("report: " + page);
        }
    }
}
