package io.boltshuffle.cli.doctor.check;

import java.util.ArrayList;
import java.util.List;

/** A change that the doctor can safely make for the user, after a yes. */
public record Fix(String host, String description, boolean asRoot, List<String> command) {

    public Fix {
        command = List.copyOf(command);
    }

    /** Returns the command to run. It never asks for a password, because it has no terminal to ask on. */
    public List<String> arguments() {
        if (!asRoot) {
            return command;
        }
        List<String> arguments = new ArrayList<>(List.of("sudo", "-n"));
        arguments.addAll(command);
        return arguments;
    }

    /** Returns the command as a person would type it. */
    public String commandLine() {
        return (asRoot ? "sudo " : "") + String.join(" ", command);
    }
}
