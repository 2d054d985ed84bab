package io.boltshuffle.proof.conformance.inspark;

/** System properties by which {@code bolt conformance} tells the JVMs of a suite where its files are. */
public final class SuiteFiles {

    /** A properties file: settings for Spark, where a suite has none of its own. */
    public static final String SETTINGS = "boltshuffle.conformance.settings";

    /** A directory into which each JVM writes its tally when it ends. */
    public static final String TALLIES = "boltshuffle.conformance.tallies";

    private SuiteFiles() {}
}
