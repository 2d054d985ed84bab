package io.boltshuffle.cli.base;

/** A failure that the user sees as one line: what is wrong, then what to do. The exit code is part of it. */
public final class BoltException extends RuntimeException {
    private final int exitCode;
    private final String told;

    private BoltException(int exitCode, String told) {
        super(told);
        this.exitCode = exitCode;
        this.told = told;
    }

    /** The command ran and failed. */
    public static BoltException failed(String message) {
        return new BoltException(ExitCode.FAILED, message);
    }

    /** The command line is wrong. */
    public static BoltException usage(String message) {
        return new BoltException(ExitCode.USAGE, message);
    }

    /** This machine lacks something; {@code remedy} says how to mend it. */
    public static BoltException environment(String problem, String remedy) {
        return new BoltException(ExitCode.ENVIRONMENT, problem + ": " + remedy);
    }

    @Override
    public String getMessage() {
        return told;
    }

    public int exitCode() {
        return exitCode;
    }
}
