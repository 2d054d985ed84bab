package io.boltshuffle.proof.option;

import io.boltshuffle.conf.IllegalSettingException;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code --conf}, for verbs that show what a setting of the plugin changes. */
public final class PluginSettingsOption {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before it sets an option
    private CommandSpec command;

    private final Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--conf",
            paramLabel = "KEY=VALUE",
            description = "A setting of the plugin, for agents and for applications with boltshuffle, such as "
                    + "spark.boltshuffle.agent.slab=256m; may be given several times.")
    void add(Map<String, String> given) {
        given.forEach(this::check);
        try {
            Settings together = Settings.parse(given);
            together.unknownKeys().stream().findFirst().ifPresent(unknown -> {
                throw new ParameterException(command.commandLine(), "--conf: " + unknown.warning());
            });
        } catch (IllegalSettingException e) {
            throw new ParameterException(command.commandLine(), "--conf: " + e.getMessage(), e);
        }
        settings.clear();
        settings.putAll(given);
    }

    private void check(String key, String value) {
        if (!key.startsWith(Options.PREFIX)) {
            throw new ParameterException(
                    command.commandLine(),
                    "--conf " + key + "=" + value + ": a setting of the plugin begins with " + Options.PREFIX);
        }
    }

    /** Returns the settings by their names, which are known and have legal values. */
    public Map<String, String> values() {
        return Map.copyOf(settings);
    }
}
