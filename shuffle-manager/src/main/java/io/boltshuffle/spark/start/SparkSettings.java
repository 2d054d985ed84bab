package io.boltshuffle.spark.start;

import io.boltshuffle.conf.BlocksChoice;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.conf.UnknownSparkChoice;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/** Extracts the plugin's settings from Spark's. */
public final class SparkSettings {
    private SparkSettings() {}

    public static Settings of(SparkConf conf) {
        Map<String, String> properties = new HashMap<>();
        for (Tuple2<String, String> property : conf.getAll()) {
            properties.put(property._1(), property._2());
        }
        return Settings.parse(properties);
    }

    /**
     * Returns whether more blocks than those of shuffles may go by RDMA. It reads no other setting, and refuses none.
     */
    public static boolean wantAllBlocks(SparkConf conf) {
        return !conf.get(Options.BLOCKS.key(), "").strip().equalsIgnoreCase(BlocksChoice.SHUFFLE.name());
    }

    /** Returns whether the user asks for that by name; without a word, it is the default. */
    public static boolean askForAllBlocks(SparkConf conf) {
        return conf.get(Options.BLOCKS.key(), "").strip().equalsIgnoreCase(BlocksChoice.ALL.name());
    }

    /** Returns whether an unknown Spark is to be tried. It reads no other setting, and refuses none. */
    public static boolean wantsUnknownSparkTried(SparkConf conf) {
        return conf.get(Options.UNKNOWN_SPARK.key(), "").strip().equalsIgnoreCase(UnknownSparkChoice.TRY.name());
    }
}
