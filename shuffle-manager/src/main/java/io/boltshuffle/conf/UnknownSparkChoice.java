package io.boltshuffle.conf;

/** The user's choice on a Spark that is newer than those that the plugin was made for. */
public enum UnknownSparkChoice {
    /** Spark's own shuffle. */
    STOCK,
    /** The plugin's all the same. */
    TRY
}
