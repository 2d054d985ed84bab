package io.boltshuffle.cli.runtime;

/** The sets of jars that are fetched from Maven Central, each described by a pom of this project. */
enum GatheredJars {
    RUNTIME("Spark", "spark-", "spark-runtime-pom.xml", 280),
    /** This set contains Spark's own test suites, so no job of a user runs on it. */
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
}
