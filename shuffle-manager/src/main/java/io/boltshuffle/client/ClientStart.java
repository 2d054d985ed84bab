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
 */
public record ClientStart(
        String host, Path root, Settings settings, Registration registration, Map<String, String> agentProperties) {

    public ClientStart {
        host = HostName.plain(host);
    }
}
