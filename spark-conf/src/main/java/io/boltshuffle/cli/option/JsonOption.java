package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.Json;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** {@code --json}: what a verb found out, for programs in place of people. */
public final class JsonOption {
    @Option(names = "--json", description = "Print JSON in place of the table.")
    private boolean chosen;

    /** Whether JSON was asked for. */
    public boolean chosen() {
        return chosen;
    }

    /** The one of the two that was asked for. */
    public String render(Supplier<?> document, Supplier<String> table) {
        return chosen ? Json.write(document.get()) : table.get();
    }
}
