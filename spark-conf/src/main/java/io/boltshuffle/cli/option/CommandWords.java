package io.boltshuffle.cli.option;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** The command line as the user gave it, for reports. */
final class CommandWords {
    private static final Pattern PLAIN = Pattern.compile("[\\w./:=,@%+-]+");

    private CommandWords() {}

    /** Returns the command that is being executed, so that a shell takes it. */
    static String of(CommandSpec command) {
        CommandSpec root = command.root();
        return of(root.name(), root.commandLine().getParseResult().originalArgs());
    }

    static String of(String program, List<String> arguments) {
        return Stream.concat(Stream.of(program), arguments.stream().map(CommandWords::quoted))
                .collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
