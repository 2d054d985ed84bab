package io.boltshuffle.integration;

import org.apache.spark.SparkConf;

/** Whose shuffle an application has: what is asked of ours is asked of Spark's, too. */
enum ShuffleKind {
    STOCK("sort"),
    /** Spark's manager, and the plugin that carries what it reads. */
    PLUGIN_ALONE("sort"),
    OURS("io.boltshuffle.spark.BoltShuffleManager");

    private final String manager;

    ShuffleKind(String manager) {
        this.manager = manager;
    }

    /** Sets the manager and, for the kinds that are ours, the plugin, by which blocks of all kinds go by RDMA. */
    SparkConf applyTo(SparkConf conf) {
        conf.set("spark.shuffle.manager", manager);
        return goesByRdma() ? withPlugin(conf) : conf;
    }

    static SparkConf withPlugin(SparkConf conf) {
        return conf.set("spark.plugins", "io.boltshuffle.spark.BoltShufflePlugin");
    }

    /** Returns whether blocks go by RDMA while nothing is in the way. */
    boolean goesByRdma() {
        return this != STOCK;
    }
}
