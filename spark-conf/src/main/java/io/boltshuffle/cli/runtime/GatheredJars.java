package io.boltshuffle.cli.runtime;

/** The sets of jars that are gathered from Maven Central, each described by a pom of ours. */
enum GatheredJars {
    RUNTIME("Spark", "spark-", "spark-runtime-pom.xml", 280),
    /** With Spark's own test suites in it, so that no job of a user runs on it. */
    SUITES("the test suites of Spark", "spark-suites-", "spark-suites-pom.xml", 340);

    private final String title;
    private final String directoryPrefix;
    private final String pom;
    private final int megabytes;

    GatheredJars(String title, String directoryPrefix, String pom, int megabytes) {
        this.title = title;
        this.directoryPrefix = directoryPrefix;
        this.pom = pom;
        this.megabytes = megabytes;
    }

    String title(SparkLine line) {
        return title + " " + line.release();
    }

    String directory(SparkLine line) {
        return directoryPrefix + line.release();
    }

    /** A resource beside this class. */
    String pom() {
        return pom;
    }

    /** About; and as much again in Maven's local repository when they are new. */
    int megabytes() {
        return megabytes;
    }
}
