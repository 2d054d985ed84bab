package io.boltshuffle.client;

import io.boltshuffle.conf.Settings;
import io.boltshuffle.wire.HostName;
import io.boltshuffle.wire.Registration;
import java.nio.file.Path;
import java.util.Map;

/**
 * Holds what an executor needs to find its agent.
 *
 * @param host this executor's host as Spark names it
 * @param root directory of all agents of this user
 * @param registration what the executor tells the agent about itself
 * @param agentProperties the settings, by key, for an agent that this executor starts
 * @param onlyWithCable whether an agent is started only if this host shows a cable, as for a driver, whose host may be
 *     any computer
 */
public record ClientStart(
        String host,
        Path root,
        Settings settings,
        Registration registration,
        Map<String, String> agentProperties,
        boolean onlyWithCable) {

    /** Holds what an executor needs, which starts an agent on its host in any case. */
    public ClientStart(
            String host, Path root, Settings settings, Registration registration, Map<String, String> agentProperties) {
        this(host, root, settings, registration, agentProperties, false);
    }

    public ClientStart {
        host = HostName.plain(host);
    }
}
