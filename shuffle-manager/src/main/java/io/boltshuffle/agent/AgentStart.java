package io.boltshuffle.agent;

import io.boltshuffle.conf.Settings;
import io.boltshuffle.wire.HostName;
import java.nio.file.Path;

/**
 * The values that an agent is started with.
 *
 * @param host the host it answers for, as Spark names it
 * @param root directory of all agents of this user
 * @param endWhenIdle whether it ends after a time without executors
 */
public record AgentStart(String host, Path root, Settings settings, boolean endWhenIdle) {

    public AgentStart {
        host = HostName.plain(host);
    }
}
