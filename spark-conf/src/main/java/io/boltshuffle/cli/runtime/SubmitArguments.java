package io.boltshuffle.cli.runtime;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The arguments of {@code spark-submit}, split where Spark splits them: options, then the application and its
 * arguments.
 *
 * @param options options other than {@code --conf}, in the order given, without those in {@code settings}
 * @param settings every {@code --conf}; the last of a key wins, as in Spark
 * @param application the primary resource and everything after it, unchanged
 */
record SubmitArguments(List<Option> options, Map<String, String> settings, List<String> application) {
    private static final Set<String> SWITCHES =
            Set.of("--help", "-h", "--supervise", "--usage-error", "--verbose", "-v", "--version");

    /** One option; a switch has no value. */
    record Option(String name, Optional<String> value) {}

    static SubmitArguments parse(List<String> arguments) {
        List<Option> options = new ArrayList<>();
        Map<String, String> settings = new LinkedHashMap<>();
        int at = 0;
        while (at < arguments.size() && arguments.get(at).startsWith("-")) {
            String word = arguments.get(at++);
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            String name = equals < 0 ? word : word.substring(0, equals);
            Optional<String> value = Optional.empty();
            if (equals >= 0) {
                value = Optional.of(word.substring(equals + 1));
            } else if (!SWITCHES.contains(name) && at < arguments.size()) {
                value = Optional.of(arguments.get(at++));
            }
            int assign = value.map(text -> text.indexOf('=')).orElse(-1);
            if ((name.equals("--conf") || name.equals("-c")) && assign > 0) {
                String setting = value.orElseThrow();
                settings.put(setting.substring(0, assign), setting.substring(assign + 1));
            } else {
                options.add(new Option(name, value));
            }
        }
        return new SubmitArguments(
                List.copyOf(options), settings, List.copyOf(arguments.subList(at, arguments.size())));
    }

    /** Returns the value that Spark would take: the last one given. */
    Optional<String> option(String name) {
        return options.stream()
                .filter(option -> option.name().equals(name))
                .reduce((first, second) -> second)
                .flatMap(Option::value);
    }

    /** Returns a copy with {@code key} set to {@code value}, and without the option that means the same. */
    SubmitArguments with(String key, String value, String synonym) {
        Map<String, String> changed = new LinkedHashMap<>(settings);
        changed.put(key, value);
        return new SubmitArguments(without(synonym).options(), changed, application);
    }

    /** Returns a copy without an option. */
    SubmitArguments without(String name) {
        return new SubmitArguments(
                options.stream().filter(option -> !option.name().equals(name)).toList(), settings, application);
    }

    List<String> words() {
        List<String> words = new ArrayList<>();
        settings.forEach((key, value) -> words.addAll(List.of("--conf", key + "=" + value)));
        for (Option option : options) {
            words.add(option.name());
            option.value().ifPresent(words::add);
        }
        words.addAll(application);
        return words;
    }
}
