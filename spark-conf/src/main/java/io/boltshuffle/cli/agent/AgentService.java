package io.boltshuffle.cli.agent;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Teardown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The agent as a service of one user: a file, and commands that register it.
 *
 * @param commands runs a command and returns its exit code
 */
record AgentService(ServiceManager manager, Path home, Commands commands) {

    /** Runs a command of the operating system. */
    interface Commands {
        int run(List<String> command) throws IOException, InterruptedException;
    }

    static AgentService ofThisUser() {
        return new AgentService(
                ServiceManager.ofThisMachine(), Path.of(System.getProperty("user.home")), AgentService::runToItsEnd);
    }

    private static int runToItsEnd(List<String> command) throws IOException, InterruptedException {
        try (Teardown teardown = Teardown.hooked()) {
            return teardown.start(new ProcessBuilder(command).inheritIO()).waitFor();
        }
    }

    Path file() {
        return manager.file(home);
    }

    String unit(List<String> command) {
        return manager.unit(command, home);
    }

    List<List<String>> startCommands() {
        return manager.startCommands(file(), userId());
    }

    List<List<String>> stopCommands() {
        return manager.stopCommands(file(), userId());
    }

    /**
     * Installs the service.
     *
     * @throws BoltException if there is one already, or it cannot be started; the message says what to do
     */
    void install(List<String> command) {
        if (Files.exists(file())) {
            throw BoltException.usage(file() + " is there already: run bolt agent uninstall first");
        }
        try {
            Files.createDirectories(manager.directory(home));
            Files.writeString(file(), unit(command));
        } catch (IOException e) {
            throw BoltException.failed("cannot write " + file() + ": " + e);
        }
        String failure = run(startCommands());
        if (failure != null) {
            throw BoltException.failed(file() + " is written, but " + failure
                    + ": see to that, then run it again by hand, or take the file" + " away with bolt agent uninstall");
        }
    }

    /**
     * Uninstalls the service. It removes the file in any case, because a service without a file is not started again.
     */
    void uninstall() {
        if (!Files.exists(file())) {
            throw BoltException.failed(file() + " is not there: no agent was installed for this user");
        }
        String failure = run(stopCommands());
        try {
            Files.delete(file());
        } catch (IOException e) {
            throw BoltException.failed("cannot remove " + file() + ": " + e);
        }
        if (failure != null) {
            throw BoltException.failed(file() + " is removed, but " + failure + ": see whether the agent still runs");
        }
    }

    /** Runs the commands. Returns null if all succeeded, or else the one that failed. */
    private @Nullable String run(List<List<String>> all) {
        for (List<String> command : all) {
            String name = String.join(" ", command);
            try {
                int code = commands.run(command);
                if (code != 0) {
                    return "'" + name + "' ended with " + code;
                }
            } catch (IOException e) {
                return "'" + name + "' cannot be run: " + e.getMessage();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return "'" + name + "' was interrupted";
            }
        }
        return null;
    }

    private long userId() {
        try {
            return ((Number) Files.getAttribute(home, "unix:uid")).longValue();
        } catch (IOException e) {
            throw BoltException.failed("cannot look at " + home + ": " + e);
        }
    }
}
