package io.boltshuffle.spark;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.conf.ShufflesChoice;
import io.boltshuffle.spark.fetch.BlockManagerField;
import io.boltshuffle.spark.fetch.FetchSide;
import io.boltshuffle.spark.start.SparkSettings;
import io.boltshuffle.spark.ui.Notice;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockManager;

/**
 * A shuffle manager that is not the plugin's: Spark's own, or one of an accelerator. The plugin carries what readers
 * fetch with Spark's client; its own writer, and how much its reader requests ahead, are of its own manager only.
 *
 * @param name as the settings have it
 */
record OtherManager(String name) {

    private static final String SETTING = "spark.shuffle.manager";

    /** Names that begin with these are of managers whose readers fetch from servers of their own. */
    private static final List<String> OWN_CLIENTS = List.of(
            "org.apache.spark.shuffle.celeborn.",
            "org.apache.spark.shuffle.RssShuffleManager",
            "org.apache.spark.shuffle.DelegationRssShuffleManager",
            "org.apache.spark.shuffle.gluten.celeborn.",
            "org.apache.spark.shuffle.gluten.uniffle.");

    private static final List<String> SPARKS_OWN =
            List.of("sort", "tungsten-sort", "org.apache.spark.shuffle.sort.SortShuffleManager");

    /** Returns the manager that the settings name; empty if it is the plugin's. */
    static Optional<OtherManager> of(SparkConf conf) {
        String name = conf.get(SETTING, "sort");
        return name.equals(BoltShuffleManager.class.getName()) ? Optional.empty() : Optional.of(new OtherManager(name));
    }

    /** Has this executor's readers fetch by RDMA, if the settings want that. */
    Optional<FetchSide> install(SparkEnv env) {
        return FetchSide.install(env, () -> SparkSettings.of(env.conf()), words(), SPARKS_OWN.contains(name));
    }

    /** Says how the shuffles of an application that has this manager travel. */
    Notice notice(BlockManager ofDriver, Settings settings) {
        Optional<String> obstacle = obstacle(ofDriver, settings);
        if (obstacle.isPresent()) {
            return new Notice("manager_not_served", "Shuffles of " + words() + " go by TCP: " + obstacle.get() + ".");
        }
        if (OWN_CLIENTS.stream().anyMatch(name::startsWith)) {
            return new Notice(
                    "manager_not_served",
                    "Readers of " + words() + " fetch with a client of their own, by TCP; no figure here includes"
                            + " that. What it leaves to Spark's shuffle goes by RDMA where it reaches.");
        }
        String hint = SPARKS_OWN.contains(name)
                ? " With " + SETTING + "=" + BoltShuffleManager.class.getName()
                        + " map tasks also write by the plugin's writer."
                : "";
        return new Notice("other_manager", "Shuffles of " + words() + " go by RDMA where it reaches." + hint);
    }

    private static Optional<String> obstacle(BlockManager ofDriver, Settings settings) {
        if (!settings.get(Options.ENABLED)) {
            return Optional.of(Options.ENABLED.key() + " is false");
        }
        if (settings.get(Options.SHUFFLES) == ShufflesChoice.OWN) {
            return Optional.of(Options.SHUFFLES.key() + " is own");
        }
        return BlockManagerField.obstacleToFetches(ofDriver);
    }

    private String words() {
        return SPARKS_OWN.contains(name) ? "Spark's own manager" : name;
    }
}
