package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.Json;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** {@code --json} prints results for programs in place of people. */
public final class JsonOption {
    @Option(names = "--json", description = "Print JSON in place of the table.")
    private boolean chosen;

    /** Returns whether the user asked for JSON. */
    public boolean chosen() {
        return chosen;
    }

    /** Returns the requested one of the two. */
    public String render(Supplier<?> document, Supplier<String> table) {
        return chosen ? Json.write(document.get()) : table.get();
    }
}
