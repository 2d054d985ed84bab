package io.boltshuffle.cli.agent;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.conf.IllegalSettingException;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.conf.UnknownKey;
import io.boltshuffle.wire.MeetingPlace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Says how an agent is to run, alike for this command and for the operating system. */
public final class AgentOptions {

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description = "This host as Spark names it: what executors and other agents call it by.")
    private @Nullable String host;

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "Directory of sockets, locks and logs (default: spark.boltshuffle.agent.directory).")
    private @Nullable Path root;

    @Option(
            names = "--conf",
            paramLabel = "KEY=VALUE",
            description = "An option of docs/configuration.md; may be repeated.")
    private final Map<String, String> settings = new LinkedHashMap<>();

    String host() {
        // Not required for picocli, which would ask for it before each verb below this one, too.
        if (host == null || host.isBlank()) {
            throw BoltException.usage("--host is missing: give this host's name as Spark knows it");
        }
        return host;
    }

    /**
     * Returns arguments for the agent's main class. It refuses what the agent would refuse, and what it would ignore.
     */
    List<String> arguments() {
        checkSettings();
        List<String> arguments = new ArrayList<>(List.of("--host", host(), "--root", root().toString()));
        settings.forEach((key, value) -> arguments.addAll(List.of("--conf", key + "=" + value)));
        return arguments;
    }

    private Path root() {
        if (root != null) {
            return root.toAbsolutePath();
        }
        String configured = settings.getOrDefault(Options.AGENT_DIRECTORY.key(), "");
        return configured.isEmpty()
                ? MeetingPlace.defaultRoot()
                : Path.of(configured).toAbsolutePath();
    }

    private void checkSettings() {
        check(settings);
    }

    /** Refuses settings of {@code --conf} that an agent would refuse, or ignore. */
    public static void check(Map<String, String> settings) {
        for (String key : settings.keySet()) {
            if (!key.startsWith(Options.PREFIX)) {
                throw BoltException.usage(
                        "--conf " + key + " is not an option of the agent: those begin with " + Options.PREFIX);
            }
        }
        try {
            List<UnknownKey> unknown = Settings.parse(settings).unknownKeys();
            if (!unknown.isEmpty()) {
                throw BoltException.usage("--conf " + unknown.get(0).warning());
            }
        } catch (IllegalSettingException e) {
            throw BoltException.usage("--conf " + e.getMessage());
        }
    }
}
