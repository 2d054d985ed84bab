package io.boltshuffle.cli.runtime;

/** The places that a Spark is fetched from. */
enum SparkSource {
    MAVEN("Maven Central"),
    /** The Python package index, whose PySpark contains Spark's jars. */
    PIP("the Python package index");

    private final String place;

    SparkSource(String place) {
        this.place = place;
    }

    String place() {
        return place;
    }
}
