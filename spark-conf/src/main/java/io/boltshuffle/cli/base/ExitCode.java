package io.boltshuffle.cli.base;

/** The meanings of the command's exit status. Spark's own status passes through {@code bolt spark-submit} unchanged. */
public final class ExitCode {
    /** The command succeeded, and everything that it had to check was right. */
    public static final int OK = 0;
    /** The command ran and failed: a job ended badly, an output was wrong, a figure is missing. */
    public static final int FAILED = 1;
    /** The command line is wrong. */
    public static final int USAGE = 2;
    /** This machine lacks something: Java, Maven, network, disk space, an address, a free port, a usable SPARK_HOME. */
    public static final int ENVIRONMENT = 3;

    /** A check found nothing wrong, but something that may become so. */
    public static final int WARNINGS = 4;

    private ExitCode() {}
}
