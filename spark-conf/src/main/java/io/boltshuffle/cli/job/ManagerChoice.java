package io.boltshuffle.cli.job;

/** The shuffle manager of the runs with the plugin. */
public enum ManagerChoice {
    /** The plugin's, which also writes. */
    OWN,
    /** Spark's: the plugin only carries what it reads. */
    STOCK
}
