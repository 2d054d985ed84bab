package io.boltshuffle.agent;

import io.boltshuffle.agent.cable.DevicePortsFactory;
import io.boltshuffle.agent.cable.NoDevicesException;
import io.boltshuffle.agent.cable.PortsFactory;
import io.boltshuffle.conf.IllegalSettingException;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.logging.log4j.LogManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent as a process: {@code AgentMain --host HOST [--root DIRECTORY] [--end-when-idle] [--conf KEY=VALUE]...}.
 * Ends with 0 after idleness, 143 after SIGTERM, 1 if it cannot start or ends otherwise, such as by a defect, 2 if it
 * was called wrongly, 3 if this host has no RDMA device.
 */
public final class AgentMain {

    private static final Logger LOG = LoggerFactory.getLogger(AgentMain.class);
    private static final int FAILED = 1;
    private static final int CALLED_WRONGLY = 2;

    /** Tells a program that starts agents not to try again. */
    private static final int NO_DEVICES = 3;

    private static final String USAGE =
            "usage: AgentMain --host HOST [--root DIRECTORY] [--end-when-idle] [--conf KEY=VALUE]...";

    /** Links and devices are given this long to end in order; after that the process ends anyway. */
    private static final long STOP_SECONDS = 20;

    private AgentMain() {}

    public static void main(String[] args) {
        AtomicReference<@Nullable Agent> running = new AtomicReference<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(running.get()), "bolt-agent-end"));
        AgentStart start;
        try {
            start = parse(args);
        } catch (IllegalArgumentException e) {
            LOG.error("{}; {}", e.getMessage(), USAGE);
            System.exit(CALLED_WRONGLY);
            return;
        }
        int code = run(start, new DevicePortsFactory(start.settings()), running);
        if (code == 0) {
            System.exit(code);
        } else {
            // Without the hook, which needs a thread of its own: there may be none left to have.
            endLogging();
            Runtime.getRuntime().halt(code);
        }
    }

    /**
     * Runs an agent to its end.
     *
     * @param running where a signal finds it
     * @return the exit code of the process
     */
    static int run(AgentStart start, PortsFactory ports, AtomicReference<@Nullable Agent> running) {
        try {
            Agent agent = Agent.start(start, ports);
            running.set(agent);
            agent.awaitStop();
            haltUnlessEnded(agent);
            agent.awaitEnd();
            return agent.endsAsAsked() ? 0 : FAILED;
        } catch (NoDevicesException e) {
            LOG.warn("{}", e.getMessage());
            return NO_DEVICES;
        } catch (IOException e) {
            LOG.debug("where it failed", e);
            LOG.error(
                    "the agent of {} cannot start: {}", start.host(), e.getMessage()); // executors repeat the last line
            return FAILED;
        } catch (Throwable e) {
            return defect(start, e);
        }
    }

    /** The reason stands in the last line, which executors repeat. */
    private static int defect(AgentStart start, Throwable cause) {
        try {
            LOG.error("where it failed", cause);
            LOG.error("defect in the agent of {}, which cannot start: {}", start.host(), cause.toString());
        } catch (Throwable e) {
            // There is not even memory to say it. The exit code does.
            return FAILED;
        }
        return FAILED;
    }

    /** Logging ends last, which is why {@link io.boltshuffle.client.AgentJvm} keeps it from ending by itself. */
    private static void end(@Nullable Agent agent) {
        if (agent != null) {
            agent.stop("asked by a signal");
            agent.awaitEnd();
        }
        endLogging();
    }

    private static void endLogging() {
        try {
            LogManager.shutdown();
        } catch (LinkageError e) {
            LOG.debug("a Spark that logs by something else", e);
        }
    }

    private static void haltUnlessEnded(Agent agent) {
        Thread watchdog = new Thread(
                () -> {
                    if (!agent.awaitEnd(STOP_SECONDS, TimeUnit.SECONDS)) {
                        Runtime.getRuntime().halt(FAILED);
                    }
                },
                "bolt-agent-watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
    }

    /** @throws IllegalArgumentException with one line that says what is wrong */
    static AgentStart parse(String[] args) {
        String host = null;
        Path root = MeetingPlace.defaultRoot();
        boolean endWhenIdle = false;
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--host" -> host = value(args, ++i);
                case "--root" -> root = Path.of(value(args, ++i));
                case "--end-when-idle" -> endWhenIdle = true;
                case "--conf" -> {
                    String[] pair = value(args, ++i).split("=", 2);
                    if (pair.length != 2) {
                        throw new IllegalArgumentException("--conf needs KEY=VALUE, not " + pair[0]);
                    }
                    properties.put(pair[0], pair[1]);
                }
                default -> throw new IllegalArgumentException("unknown argument " + args[i]);
            }
        }
        if (host == null) {
            throw new IllegalArgumentException("--host is missing");
        }
        return new AgentStart(host, root, settings(properties), endWhenIdle);
    }

    private static Settings settings(Map<String, String> properties) {
        try {
            return Settings.parse(properties);
        } catch (IllegalSettingException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static String value(String[] args, int index) {
        if (index >= args.length) {
            throw new IllegalArgumentException(args[index - 1] + " needs a value");
        }
        return args[index];
    }
}
