package io.boltshuffle.integration;

import org.apache.spark.SparkConf;

/** Whose shuffle an application has: what is asked of ours is asked of Spark's, too. */
enum ShuffleKind {
    STOCK("sort", false),
    /** Spark's manager, and the plugin that carries what it reads. */
    PLUGIN_ALONE("sort", true),
    OURS("io.boltshuffle.spark.BoltShuffleManager", false);

    private final String manager;
    private final boolean withPlugin;

    ShuffleKind(String manager, boolean withPlugin) {
        this.manager = manager;
        this.withPlugin = withPlugin;
    }

    SparkConf applyTo(SparkConf conf) {
        if (withPlugin) {
            conf.set("spark.plugins", "io.boltshuffle.spark.BoltShufflePlugin");
        }
        return conf.set("spark.shuffle.manager", manager);
    }

    /** Returns whether blocks go by RDMA while nothing is in the way. */
    boolean goesByRdma() {
        return this != STOCK;
    }
}
