package io.boltshuffle.cli.doctor.check;

import java.util.ArrayList;
import java.util.List;

/** A change that is safe to make for the user, after a yes. */
public record Fix(String host, String description, boolean asRoot, List<String> command) {

    public Fix {
        command = List.copyOf(command);
    }

    /** What is run: never asks for a password, because nobody could type one. */
    public List<String> arguments() {
        if (!asRoot) {
            return command;
        }
        List<String> arguments = new ArrayList<>(List.of("sudo", "-n"));
        arguments.addAll(command);
        return arguments;
    }

    /** As a person would type it. */
    public String commandLine() {
        return (asRoot ? "sudo " : "") + String.join(" ", command);
    }
}
