package io.boltshuffle.cli.savings.model;

import io.boltshuffle.cli.savings.log.ApplicationSums;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The part of an application that the plugin would take over with the application's settings.
 *
 * @param stock whether the application ran with Spark's own shuffle
 * @param codec what its writer was measured with that is like the application's
 * @param reasons why it would not take over all, one sentence each
 */
record PluginReach(boolean stock, boolean fetches, boolean writes, WriteGain.Codec codec, List<String> reasons) {
    private static final Set<String> STOCK_MANAGERS =
            Set.of("sort", "tungsten-sort", "org.apache.spark.shuffle.sort.sortshufflemanager");
    private static final String STOCK_STORAGE = "org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO";

    static PluginReach of(ApplicationSums application) {
        String manager = application.setting("spark.shuffle.manager", "sort");
        boolean hasPlugin = application.setting("spark.plugins", "").contains("io.boltshuffle.");
        if (manager.startsWith("io.boltshuffle.") || hasPlugin) {
            return none("it ran with boltshuffle already, so there is nothing to estimate");
        }
        if (!STOCK_MANAGERS.contains(manager.toLowerCase(Locale.ROOT))) {
            return none("it ran with " + manager + " in place of Spark's own shuffle, which is not estimated");
        }
        List<String> reasons = new ArrayList<>();
        boolean fetches = true;
        for (String key :
                List.of("spark.network.crypto.enabled", "spark.ssl.rpc.enabled", "spark.shuffle.push.enabled")) {
            if (application.setting(key, "false").equalsIgnoreCase("true")) {
                fetches = false;
                reasons.add("with " + key + "=true blocks stay with Spark's own transport");
            }
        }
        String storage = application.setting("spark.shuffle.sort.io.plugin.class", STOCK_STORAGE);
        String codec = application.setting("spark.io.compression.codec", "lz4").toLowerCase(Locale.ROOT);
        boolean writes = storage.equals(STOCK_STORAGE) && !codec.contains("lzf");
        if (!writes) {
            reasons.add("Spark's own writers stay with "
                    + (codec.contains("lzf") ? "the codec lzf" : "spark.shuffle.sort.io.plugin.class=" + storage));
        }
        boolean plain = application.setting("spark.shuffle.compress", "true").equalsIgnoreCase("false");
        return new PluginReach(true, fetches, writes, plain ? WriteGain.Codec.ZSTD_OR_NONE : measured(codec), reasons);
    }

    private static WriteGain.Codec measured(String codec) {
        if (codec.contains("lz4")) {
            return WriteGain.Codec.LZ4;
        }
        return codec.contains("zstd") ? WriteGain.Codec.ZSTD_OR_NONE : WriteGain.Codec.NOT_MEASURED;
    }

    private static PluginReach none(String reason) {
        return new PluginReach(false, false, false, WriteGain.Codec.NOT_MEASURED, List.of(reason));
    }
}
