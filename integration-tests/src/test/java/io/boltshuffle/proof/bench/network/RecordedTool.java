package io.boltshuffle.proof.bench.network;

import io.boltshuffle.cli.base.BoltException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A system in which commands only change a list of namespaces, and one of them may fail. */
final class RecordedTool implements SystemTool {
    private final String failing;
    private final List<String> commands = new ArrayList<>();
    private final Set<String> namespaces = new LinkedHashSet<>();

    /** @param failing a part of the command that fails; empty for none */
    RecordedTool(String failing) {
        this.failing = failing;
    }

    @Override
    public String run(List<String> words) {
        String command = String.join(" ", words);
        commands.add(command);
        if (!failing.isEmpty() && command.contains(failing)) {
            throw BoltException.failed(command + " ended with 1: Operation not permitted");
        }
        if (command.startsWith("ip netns add ")) {
            namespaces.add(words.get(3));
        } else if (command.startsWith("ip netns delete ")) {
            namespaces.remove(words.get(3));
        }
        return command.equals("ip netns list") ? String.join("\n", namespaces) : "";
    }

    List<String> commands() {
        return commands;
    }

    Set<String> namespaces() {
        return namespaces;
    }
}
