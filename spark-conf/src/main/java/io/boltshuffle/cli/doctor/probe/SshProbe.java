package io.boltshuffle.cli.doctor.probe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs commands on another host over ssh, which never asks for a password. The far side keeps the deadline, because it
 * can end the command. This side keeps it, too, in case the far side or the network does not answer.
 */
public final class SshProbe implements Probe {

    /** The reason why no other host can be reached. */
    public static final String NO_SSH = "there is no ssh command on this machine";

    private static final Duration CONNECT_DEADLINE = Duration.ofSeconds(8);
    private static final Duration MARGIN = Duration.ofSeconds(5);
    private static final int SSH_FAILED = 255;
    private static final int COMMAND_NOT_FOUND = 127;

    /** A shell reports these codes for a child ended by SIGTERM or SIGKILL. */
    private static final List<Integer> ENDED_BY_SIGNAL = List.of(128 + 15, 128 + 9);

    private static final String WATCHDOG = "\"$@\" & p=$!; "
            + "(sleep $bolt_limit; kill $p; sleep 1; kill -9 $p) >/dev/null 2>&1 & w=$!; "
            + "wait $p; r=$?; kill $w 2>/dev/null; exit $r";

    private final String host;
    private final LocalProbe local;
    private final List<String> ssh;

    public SshProbe(String host) {
        this(host, List.of("ssh"));
    }

    /** @param ssh the ssh command; tests name one that stays on this machine */
    SshProbe(String host, List<String> ssh) {
        this.host = host;
        this.local = new LocalProbe(host);
        this.ssh = List.copyOf(ssh);
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public Outcome run(List<String> arguments, Duration deadline) {
        List<String> command = new ArrayList<>(ssh);
        command.addAll(List.of("-o", "BatchMode=yes", "-o", "ConnectTimeout=" + CONNECT_DEADLINE.toSeconds()));
        command.addAll(List.of("--", host, remoteCommand(arguments, deadline)));
        Outcome outcome = local.run(command, deadline.plus(CONNECT_DEADLINE).plus(MARGIN));
        if (outcome.is(Outcome.Ending.NOT_FOUND)) {
            return Outcome.unreachable(NO_SSH);
        }
        if (!outcome.is(Outcome.Ending.RAN)) {
            return outcome;
        }
        if (outcome.exitCode() == SSH_FAILED) {
            return Outcome.unreachable(outcome.stderr().strip());
        }
        if (outcome.exitCode() == COMMAND_NOT_FOUND) {
            return Outcome.NOT_FOUND;
        }
        return ENDED_BY_SIGNAL.contains(outcome.exitCode())
                ? Outcome.hung(outcome.stdout(), outcome.stderr())
                : outcome;
    }

    private static String remoteCommand(List<String> arguments, Duration deadline) {
        return "bolt_limit=" + deadline.toSeconds() + " sh -c " + quote(WATCHDOG) + " sh "
                + arguments.stream().map(SshProbe::quote).collect(Collectors.joining(" "));
    }

    /** Quotes for the remote user's shell, whichever it is: single quotes protect everything except themselves. */
    private static String quote(String argument) {
        return "'" + argument.replace("'", "'\\''") + "'";
    }
}
