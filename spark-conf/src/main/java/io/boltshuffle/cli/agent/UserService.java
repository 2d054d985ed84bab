package io.boltshuffle.cli.agent;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Teardown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A service of one user: a file, and commands that register it.
 *
 * @param service its name
 * @param removal the verb that removes it
 * @param commands runs a command and returns its exit code
 */
public record UserService(ServiceManager manager, String service, String removal, Path home, Commands commands) {
    /** Makes the agent a service, which runs all the time. */
    UserService(ServiceManager manager, Path home, Commands commands) {
        this(manager, "agent", "bolt agent uninstall", home, commands);
    }

    /** Runs a command of the operating system. */
    public interface Commands {
        int run(List<String> command) throws IOException, InterruptedException;
    }

    static UserService ofThisUser() {
        return new UserService(ServiceManager.ofThisMachine(), userHome(), UserService::runToItsEnd);
    }

    /**
     * Makes this machine's part in a cluster a service, whose command runs once at each login.
     *
     * @param removal the verb that removes it
     */
    public static UserService atLogin(String removal) {
        return new UserService(
                ServiceManager.ofThisMachine(), "cluster", removal, userHome(), UserService::runToItsEnd);
    }

    private static Path userHome() {
        return Path.of(System.getProperty("user.home"));
    }

    private static int runToItsEnd(List<String> command) throws IOException, InterruptedException {
        try (Teardown teardown = Teardown.hooked()) {
            return teardown.start(new ProcessBuilder(command).inheritIO()).waitFor();
        }
    }

    public Path file() {
        return manager.file(service, home);
    }

    String unit(List<String> command) {
        return manager.unit(service, command, home);
    }

    List<List<String>> startCommands() {
        return manager.startCommands(file(), userId());
    }

    List<List<String>> stopCommands() {
        return manager.stopCommands(file(), userId());
    }

    /** @throws BoltException if there is one already, or it cannot be started; the message says what to do */
    public void install(List<String> command) {
        if (Files.exists(file())) {
            throw BoltException.usage(file() + " is there already: run " + removal + " first");
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
                    + ": see to that, then run it again by hand, or take the file away with " + removal);
        }
    }

    /**
     * Uninstalls the service. It removes the file in any case, because a service without a file is not started again.
     */
    public void uninstall() {
        if (!Files.exists(file())) {
            throw BoltException.failed(file() + " is not there: no " + service + " was installed for this user");
        }
        String failure = run(stopCommands());
        try {
            Files.delete(file());
        } catch (IOException e) {
            throw BoltException.failed("cannot remove " + file() + ": " + e);
        }
        if (failure != null) {
            throw BoltException.failed(
                    file() + " is removed, but " + failure + ": see whether the " + service + " still runs");
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
