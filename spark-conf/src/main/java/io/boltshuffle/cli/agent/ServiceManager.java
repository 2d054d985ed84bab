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

/** What keeps a user's programs running on this operating system, and how it is told of the agent. */
enum ServiceManager {
    /** Linux: a unit of the user's own systemd. */
    SYSTEMD("boltshuffle-agent.service") {
        @Override
        Path directory(Path home) {
            return home.resolve(".config/systemd/user");
        }

        /** Quoted, with what systemd would expand taken literally. */
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

    /** macOS: an agent of the user's launchd, which runs while that user is logged in. */
    LAUNCHD("io.boltshuffle.agent.plist") {
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
            return List.of(List.of("launchctl", "bootout", "gui/" + userId + "/io.boltshuffle.agent"));
        }
    };

    private final String template;

    /** @param template name of the resource, and of the file that is made of it */
    ServiceManager(String template) {
        this.template = template;
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

    /** A command, quoted as the file wants it. */
    abstract String words(List<String> command);

    /** What makes it run, now and after each login. */
    abstract List<List<String>> startCommands(Path file, long userId);

    /** What ends it for good; the file may be removed after that. */
    abstract List<List<String>> stopCommands(Path file, long userId);

    Path file(Path home) {
        return directory(home).resolve(template);
    }

    /** The file's text, for an agent that is started by this command. */
    String unit(List<String> command, Path home) {
        return template()
                .replace("@STOP_SECONDS@", Long.toString(AgentCommand.STOP_TIME.toSeconds()))
                .replace("@HOME@", Markup.escape(home.toString()))
                .replace("@COMMAND@", words(command));
    }

    private String template() {
        try (InputStream text = Objects.requireNonNull(ServiceManager.class.getResourceAsStream(template))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
