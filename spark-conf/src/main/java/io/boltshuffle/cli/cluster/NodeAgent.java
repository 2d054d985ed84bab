package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.base.Teardown;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * The node agent of one host, which a test may kill and start again.
 *
 * <p><b>Threads:</b> one at a time starts it; any may ask.
 *
 * <p><b>Ownership:</b> the teardown ends the process.
 */
public final class NodeAgent {
    private static final Pattern READY = Pattern.compile("(agent of \\S+ is ready)");

    private final String host;
    private final ProcessBuilder command;
    private final String log;
    private final RunDirectory run;
    private final Teardown teardown;
    private volatile Daemon daemon;
    private int starts;

    NodeAgent(String host, ProcessBuilder command, String log, RunDirectory run, Teardown teardown) {
        this.host = host;
        this.command = command;
        this.log = log;
        this.run = run;
        this.teardown = teardown;
        this.daemon = start();
    }

    /** Starts a process with a log of its own, so that messages of different processes cannot be confused. */
    private Daemon start() {
        String title = starts == 0 ? log : log + "-" + starts;
        starts++;
        return Daemon.start("the node agent of " + host, command, run, title, teardown);
    }

    void awaitReady() {
        daemon.await(READY);
    }

    /**
     * Waits for the end of the process, which was told to end, and starts another. Returns when the new one listens.
     */
    public void startAgain() {
        daemon.awaitEnd();
        daemon = start();
        awaitReady();
    }

    public String host() {
        return host;
    }

    public long processId() {
        return daemon.processId();
    }

    public boolean isAlive() {
        return daemon.isAlive();
    }

    Duration cpu() {
        return daemon.cpu();
    }
}
