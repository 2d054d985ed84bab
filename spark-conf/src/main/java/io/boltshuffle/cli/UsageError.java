package io.boltshuffle.cli;

import io.boltshuffle.conf.Nearest;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what is wrong with a command line, in the words that a user types. */
final class UsageError {
    /** Matches picocli's list of an enum's values, which has their names in Java and the words they print as. */
    private static final Pattern CHOICE =
            Pattern.compile("(?s)Invalid value for option '([^']+)'.*expected one of \\[(.*)] .*but was '(.*)'");

    private static final Pattern ONE_OF = Pattern.compile("(?s).*specify one of these.*?: \\((.*)\\)");
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*");

    private UsageError() {}

    static String tell(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched.getUnmatched().get(0), e.getCommandLine().getCommandSpec());
        }
        String message = String.valueOf(e.getMessage());
        Matcher choice = CHOICE.matcher(message);
        if (choice.matches()) {
            return choice.group(1) + " has to be one of " + String.join(", ", spelled(choice.group(2))) + ", not '"
                    + choice.group(3) + "'";
        }
        Matcher oneOf = ONE_OF.matcher(message);
        if (oneOf.matches()) {
            return OPTION.matcher(oneOf.group(1))
                    .results()
                    .map(option -> option.group())
                    .distinct()
                    .collect(Collectors.joining(", ", "one of these is missing: ", ""));
        }
        return message;
    }

    private static String unmatched(String word, CommandSpec command) {
        Optional<String> removed = RemovedWords.sentence(command.qualifiedName(), word);
        if (removed.isPresent()) {
            return removed.get();
        }
        Set<String> verbs = command.subcommands().keySet();
        if (word.startsWith("-")) {
            return "unknown option '" + word + "'" + meant(word.split("=", 2)[0], options(command));
        }
        return verbs.isEmpty()
                ? command.qualifiedName() + " takes no '" + word + "'"
                : "there is no '" + command.qualifiedName() + " " + word + "'" + meant(word, verbs);
    }

    private static String meant(String word, Collection<String> known) {
        return Nearest.of(word, known)
                .map(nearest -> "; did you mean " + nearest + "?")
                .orElse("");
    }

    private static List<String> options(CommandSpec command) {
        return command.options().stream()
                .flatMap(option -> Stream.of(option.names()))
                .toList();
    }

    /** Returns the values as a user types them, each once. */
    private static Set<String> spelled(String names) {
        return Stream.of(names.split(", ", -1))
                .map(name -> name.toLowerCase(Locale.ROOT).replace('_', '-'))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns whether the command line lacks a verb that has to follow. */
    static boolean isMissingVerb(CommandLine command, ParameterException e) {
        return !(e instanceof UnmatchedArgumentException)
                && !command.getSubcommands().isEmpty()
                && String.valueOf(e.getMessage()).startsWith("Missing required subcommand");
    }
}
