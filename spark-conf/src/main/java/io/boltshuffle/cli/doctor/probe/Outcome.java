package io.boltshuffle.cli.doctor.probe;

import java.util.Optional;

/** The result of one command. The text is what was read before the end, whatever the end was. */
public record Outcome(Ending ending, int exitCode, String stdout, String stderr) {

    public enum Ending {
        /** The command ended by itself; the exit code is its own. */
        RAN,
        /** The command did not end before its deadline and was ended. */
        HUNG,
        /** The host has no such command. */
        NOT_FOUND,
        /** The host could not be reached to run the command. */
        UNREACHABLE,
        /** The command was left out, because an earlier outcome made it pointless or harmful. */
        NOT_RUN
    }

    public static final Outcome NOT_RUN = new Outcome(Ending.NOT_RUN, -1, "", "");
    public static final Outcome NOT_FOUND = new Outcome(Ending.NOT_FOUND, -1, "", "");

    public static Outcome ran(int exitCode, String stdout, String stderr) {
        return new Outcome(Ending.RAN, exitCode, stdout, stderr);
    }

    public static Outcome hung(String stdout, String stderr) {
        return new Outcome(Ending.HUNG, -1, stdout, stderr);
    }

    public static Outcome unreachable(String reason) {
        return new Outcome(Ending.UNREACHABLE, -1, "", reason);
    }

    public boolean is(Ending other) {
        return ending == other;
    }

    /** Returns standard output, if the command ended by itself, with whatever exit code. */
    public Optional<String> text() {
        return ending == Ending.RAN ? Optional.of(stdout) : Optional.empty();
    }
}
