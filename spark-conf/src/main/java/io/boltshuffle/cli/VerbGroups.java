package io.boltshuffle.cli;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;

/** Lists the verbs in the overview: first the verbs that users need, then those that only prove this program. */
public final class VerbGroups implements IHelpSectionRenderer {
    private static final int INDENT = 2;

    public static final List<Group> ALL = List.of(
            new Group("See it work", List.of("verify", "demo", "cluster")),
            new Group("Run Spark on several machines", List.of("up", "join", "leave", "down")),
            new Group("Use it", List.of("savings", "spark-submit", "history", "agent")),
            new Group("Set machines up, and find out what is wrong", List.of("doctor", "topology", "init")),
            new Group(
                    "Prove it (long runs, for people who change this program)",
                    List.of("bench", "soak", "conformance", "lab")),
            new Group("And", List.of("help")));

    public record Group(String title, List<String> verbs) {}

    @Override
    public String render(Help help) {
        // An archive has no verbs that prove.
        return ALL.stream()
                .filter(group -> group.verbs().stream().anyMatch(help.subcommands()::containsKey))
                .map(group -> render(group, help))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static String render(Group group, Help help) {
        int names = help.subcommands().keySet().stream()
                        .mapToInt(String::length)
                        .max()
                        .orElse(0)
                + 2 * INDENT;
        int width = help.commandSpec().usageMessage().width();
        TextTable table = TextTable.forColumns(
                help.colorScheme(),
                new Column(names, INDENT, Column.Overflow.SPAN),
                new Column(width - names, INDENT, Column.Overflow.WRAP));
        for (String verb : group.verbs()) {
            Help one = help.subcommands().get(verb);
            if (one != null) {
                table.addRowValues(
                        verb, String.join(" ", one.commandSpec().usageMessage().header()));
            }
        }
        return group.title() + ":" + System.lineSeparator() + table;
    }
}
