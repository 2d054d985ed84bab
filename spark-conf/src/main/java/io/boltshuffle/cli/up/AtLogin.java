package io.boltshuffle.cli.up;

import io.boltshuffle.cli.agent.UserService;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Has launchd or systemd run a verb again at each login of this user, with the options that it was given. */
final class AtLogin {
    /** The option that asks for it. */
    static final String OPTION = "--login";

    /** The option with which launchd or systemd run the verb: no code may come into a log. */
    static final String QUIET = "--at-login";

    private static final List<String> KEPT = List.of("BOLT_CACHE", "SPARK_HOME");

    private AtLogin() {}

    /**
     * Installs it, unless it is.
     *
     * @param verb with its options, as the user gave them
     */
    static void install(ParseResult verb, UserService service, Console console) {
        if (Files.exists(service.file())) {
            console.line(service.file() + " is there already, and stays as it is");
            return;
        }
        service.install(command(verb, System.getenv()));
        console.line("from now on it starts at each login: " + service.file());
    }

    private static List<String> command(ParseResult verb, Map<String, String> environment) {
        List<String> command = new ArrayList<>(List.of("/usr/bin/env"));
        command.addAll(environment(environment));
        command.addAll(List.of(
                SparkRuntime.java().toString(),
                "-cp",
                Installation.current().lib() + "/*",
                "io.boltshuffle.cli.Bolt",
                verb.commandSpec().name(),
                QUIET));
        command.addAll(options(verb));
        return command;
    }

    /** Returns what the command needs of the environment, which neither launchd nor systemd has. */
    static List<String> environment(Map<String, String> environment) {
        return KEPT.stream()
                .filter(environment::containsKey)
                .map(name -> name + "=" + environment.getOrDefault(name, ""))
                .toList();
    }

    /** Returns the options that are good for every time. */
    static List<String> options(ParseResult verb) {
        return verb.matchedOptions().stream().distinct().flatMap(AtLogin::words).toList();
    }

    private static Stream<String> words(OptionSpec option) {
        return option.longestName().equals(OPTION)
                ? Stream.empty()
                : option.originalStringValues().stream().map(value -> option.longestName() + "=" + value);
    }

    /** Removes it, if it was installed. */
    static void remove(String removal) {
        UserService service = UserService.atLogin(removal);
        if (Files.exists(service.file())) {
            service.uninstall();
        }
    }
}
