package io.boltshuffle.integration;

import org.apache.spark.SparkConf;

/** Whose shuffle an application has: what is asked of ours is asked of Spark's, too. */
enum ShuffleKind {
    STOCK("sort"),
    OURS("io.boltshuffle.spark.BoltShuffleManager");

    private final String manager;

    ShuffleKind(String manager) {
        this.manager = manager;
    }

    SparkConf applyTo(SparkConf conf) {
        return conf.set("spark.shuffle.manager", manager);
    }
}
