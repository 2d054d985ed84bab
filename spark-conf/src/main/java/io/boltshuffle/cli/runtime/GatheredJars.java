package io.boltshuffle.cli.runtime;

/** The sets of jars that are fetched from Maven Central, each described by a pom of this project. */
enum GatheredJars {
    RUNTIME("Spark", "spark-", "spark-runtime-pom.xml", 280, "set SPARK_HOME to a Spark distribution"),
    /** This set contains Spark's own test suites, so no job of a user runs on it. */
    SUITES("the test suites of Spark", "spark-suites-", "spark-suites-pom.xml", 340, "try again"),
    /** The accelerator, in one jar with its native libraries. */
    COMET(
            "DataFusion Comet 1.2.0 for Spark",
            "comet-1.2.0-spark-",
            "comet-pom.xml",
            99,
            "take a Spark that it is published for, such as 4.1");

    private final String title;
    private final String directoryPrefix;
    private final String pom;
    private final int megabytes;
    private final String otherwise;

    GatheredJars(String title, String directoryPrefix, String pom, int megabytes, String otherwise) {
        this.title = title;
        this.directoryPrefix = directoryPrefix;
        this.pom = pom;
        this.megabytes = megabytes;
        this.otherwise = otherwise;
    }

    String title(String release) {
        return title + " " + release;
    }

    String directory(String release) {
        return directoryPrefix + release;
    }

    /** Returns a resource beside this class. */
    String pom() {
        return pom;
    }

    /** Returns the approximate size. New jars take as much again in Maven's local repository. */
    int megabytes() {
        return megabytes;
    }

    /** Returns what a user may do instead of mending what Maven complains about. */
    String otherwise() {
        return otherwise;
    }
}
