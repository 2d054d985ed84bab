package io.boltshuffle.cli;

import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help in which no line ends within a name such as {@code spark.boltshuffle.agent.slab}. Picocli breaks lines where
 * Java says that text may break, which is after a dot, too; a letter stands there for each dot of a name until the
 * lines are broken.
 */
final class UnbrokenHelp extends Help {
    /** A letter that no help has. */
    private static final char STAND_IN = 'þ';

    private static final Pattern DOT_WITHIN_A_NAME = Pattern.compile("(?<=\\w)\\.(?=\\w)");

    UnbrokenHelp(CommandSpec command, ColorScheme colors) {
        super(command, colors);
    }

    @Override
    public String description(Object... parameters) {
        return paragraphs(commandSpec().usageMessage().description(), parameters);
    }

    @Override
    public String footer(Object... parameters) {
        return paragraphs(commandSpec().usageMessage().footer(), parameters);
    }

    private String paragraphs(String[] lines, Object... parameters) {
        UsageMessageSpec usage = commandSpec().usageMessage();
        return withDots(join(
                        ansi(),
                        usage.width(),
                        usage.adjustLineBreaksForWideCJKCharacters(),
                        withoutDots(lines),
                        new StringBuilder(),
                        parameters)
                .toString());
    }

    @Override
    public String optionList() {
        return withDots(super.optionList());
    }

    @Override
    public String optionListGroupSections() {
        return withDots(super.optionListGroupSections());
    }

    @Override
    public String parameterList() {
        return withDots(super.parameterList());
    }

    @Override
    public IOptionRenderer createDefaultOptionRenderer() {
        IOptionRenderer renderer = super.createDefaultOptionRenderer();
        // The copy belongs to no command and so knows no variables: it gets values, not names of them.
        return (option, labels, colors) -> renderer.render(
                OptionSpec.builder(option)
                        .names(option.names())
                        .paramLabel(option.paramLabel())
                        .defaultValue(option.defaultValue())
                        .description(withoutDots(option.description()))
                        .build(),
                labels,
                colors);
    }

    @Override
    public IParameterRenderer createDefaultParameterRenderer() {
        IParameterRenderer renderer = super.createDefaultParameterRenderer();
        return (parameter, labels, colors) -> renderer.render(
                PositionalParamSpec.builder(parameter)
                        .paramLabel(parameter.paramLabel())
                        .defaultValue(parameter.defaultValue())
                        .description(withoutDots(parameter.description()))
                        .build(),
                labels,
                colors);
    }

    private static String[] withoutDots(String[] lines) {
        return Stream.of(lines)
                .map(line -> DOT_WITHIN_A_NAME.matcher(line).replaceAll(String.valueOf(STAND_IN)))
                .toArray(String[]::new);
    }

    private static String withDots(String text) {
        return text.replace(STAND_IN, '.');
    }
}
