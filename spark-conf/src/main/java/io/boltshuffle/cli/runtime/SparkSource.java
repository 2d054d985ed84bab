package io.boltshuffle.cli.runtime;

/** The places that a Spark is fetched from. */
enum SparkSource {
    MAVEN,
    /** The Python package index, whose PySpark contains Spark's jars. */
    PIP
}
