package io.boltshuffle.cli.agent;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.draw.Markup;
import io.boltshuffle.os.OperatingSystem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The program that keeps a user's programs running on this operating system, and how it learns about one of ours. */
public enum ServiceManager {
    /** On Linux it is the user's own systemd, with a unit. */
    SYSTEMD("boltshuffle-", ".service") {
        @Override
        Path directory(Path home) {
            return home.resolve(".config/systemd/user");
        }

        /** Quotes the words, so that systemd takes literally what it would otherwise expand. */
        @Override
        String words(List<String> command) {
            return command.stream()
                    .map(word -> word.replace("\\", "\\\\")
                            .replace("\"", "\\\"")
                            .replace("%", "%%")
                            .replace("$", "$$"))
                    .collect(Collectors.joining("\" \"", "\"", "\""));
        }

        @Override
        List<List<String>> startCommands(Path file, long userId) {
            return List.of(
                    List.of("systemctl", "--user", "daemon-reload"),
                    List.of(
                            "systemctl",
                            "--user",
                            "enable",
                            "--now",
                            file.getFileName().toString()));
        }

        @Override
        List<List<String>> stopCommands(Path file, long userId) {
            return List.of(List.of(
                    "systemctl",
                    "--user",
                    "disable",
                    "--now",
                    file.getFileName().toString()));
        }
    },

    /** On macOS it is the user's launchd, which runs while that user is logged in, with a LaunchAgent. */
    LAUNCHD("io.boltshuffle.", ".plist") {
        @Override
        Path directory(Path home) {
            return home.resolve("Library/LaunchAgents");
        }

        @Override
        String words(List<String> command) {
            return command.stream()
                    .map(word -> "        <string>" + Markup.escape(word) + "</string>")
                    .collect(Collectors.joining("\n"));
        }

        @Override
        List<List<String>> startCommands(Path file, long userId) {
            return List.of(List.of("launchctl", "bootstrap", "gui/" + userId, file.toString()));
        }

        @Override
        List<List<String>> stopCommands(Path file, long userId) {
            String label = file.getFileName().toString().replaceFirst("\\.plist$", "");
            return List.of(List.of("launchctl", "bootout", "gui/" + userId + "/" + label));
        }
    };

    private final String prefix;
    private final String suffix;

    /** @param prefix before a service's name, in that of the resource and of the file that is made of it */
    ServiceManager(String prefix, String suffix) {
        this.prefix = prefix;
        this.suffix = suffix;
    }

    static ServiceManager ofThisMachine() {
        return switch (OperatingSystem.current()) {
            case MACOS -> LAUNCHD;
            case LINUX -> SYSTEMD;
            case UNKNOWN ->
                throw BoltException.environment(
                        "there is no unit for " + System.getProperty("os.name"),
                        "start bolt agent by what this system has");
        };
    }

    abstract Path directory(Path home);

    /** Returns a command, quoted as the file requires. */
    abstract String words(List<String> command);

    /** Returns the commands that make it run, now and after each login. */
    abstract List<List<String>> startCommands(Path file, long userId);

    /** Returns the commands that end it for ever; the file may be removed after that. */
    abstract List<List<String>> stopCommands(Path file, long userId);

    Path file(String service, Path home) {
        return directory(home).resolve(prefix + service + suffix);
    }

    /** Returns the file's text, for a service that this command starts. */
    String unit(String service, List<String> command, Path home) {
        return template(prefix + service + suffix)
                .replace("@STOP_SECONDS@", Long.toString(AgentCommand.STOP_TIME.toSeconds()))
                .replace("@HOME@", Markup.escape(home.toString()))
                .replace("@COMMAND@", words(command));
    }

    private static String template(String template) {
        try (InputStream text = Objects.requireNonNull(ServiceManager.class.getResourceAsStream(template))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
