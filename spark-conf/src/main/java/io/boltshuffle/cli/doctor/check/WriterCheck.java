package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.SparkConfFacts;
import io.boltshuffle.cli.runtime.PluginFlags;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.conf.IllegalSettingException;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.PartitionLimit;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.conf.ShufflesChoice;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says up to how many partitions map tasks would use the plugin's writer, with the settings that a host's Spark has by
 * default; where they name another shuffle manager, whether the plugin carries its shuffles. An application may set
 * others: the tab of its UI shows what holds for it.
 */
final class WriterCheck implements Check {
    private static final long MIB = 1L << 20;
    private static final long DEFAULT_HEAP_BYTES = 1L << 30;
    /** Spark leaves this part of an executor's heap to itself. */
    private static final long RESERVED_BYTES = 300 * MIB;

    private static final long SMALLEST_PAGE_BYTES = MIB;
    private static final long LARGEST_PAGE_BYTES = 64 * MIB;
    private static final int PAGES_PER_TASK = 16;
    private static final int BYPASS_THRESHOLD = 200;
    private static final long GATHER_BYTES = 32 << 10;
    private static final String LZ4 = "lz4";
    private static final Set<String> STREAM_CODECS = Set.of(
            "zstd", "snappy", "org.apache.spark.io.ZStdCompressionCodec", "org.apache.spark.io.SnappyCompressionCodec");
    private static final Set<String> LZ4_CODECS = Set.of(LZ4, "org.apache.spark.io.LZ4CompressionCodec");
    private static final String SPARKS_STORAGE = "org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO";

    @Override
    public List<Finding> on(Cluster cluster) {
        return cluster.hosts().stream()
                .flatMap(host -> host.sparkSettings().map(spark -> on(host, spark)).stream())
                .toList();
    }

    private static Finding on(HostFacts host, SparkConfFacts spark) {
        Settings settings;
        try {
            settings = Settings.parse(spark.values());
        } catch (IllegalSettingException e) {
            return Finding.failure(
                    Cause.WRITER,
                    host.host(),
                    new Finding.Problem(
                            String.valueOf(e.getMessage()),
                            "Applications with this setting end when they start.",
                            "Correct it in " + spark.file().orElse("spark-defaults.conf") + " on " + host.host()
                                    + "."));
        }
        return Finding.ok(
                Cause.WRITER,
                host.host(),
                "map outputs are written by " + stockBecause(settings, spark).orElseGet(() -> limits(settings, spark)));
    }

    /** Says why no map task would use the plugin's writer. */
    private static Optional<String> stockBecause(Settings settings, SparkConfFacts spark) {
        String manager = spark.values().getOrDefault(PluginFlags.SHUFFLE_MANAGER, PluginFlags.MANAGER_CLASS);
        if (!manager.equals(PluginFlags.MANAGER_CLASS)) {
            return Optional.of("the shuffle manager " + manager + ", and go by "
                    + tcpBecause(settings, spark)
                            .map(reason -> "TCP: " + reason)
                            .orElse("RDMA"));
        }
        if (!settings.get(Options.ENABLED) || !settings.get(Options.WRITER_ENABLED)) {
            return Optional.of("Spark's own writers, because "
                    + (settings.get(Options.ENABLED) ? Options.WRITER_ENABLED : Options.ENABLED).key() + " is false");
        }
        String storage = spark.values().getOrDefault("spark.shuffle.sort.io.plugin.class", SPARKS_STORAGE);
        if (!storage.equals(SPARKS_STORAGE)) {
            return Optional.of("Spark's own writers, because " + storage + " expects them");
        }
        String codec = codec(spark);
        return compresses(spark) && !LZ4_CODECS.contains(codec) && !STREAM_CODECS.contains(codec)
                ? Optional.of("Spark's own writers, because the codec " + codec + " is not one that the plugin knows")
                : Optional.empty();
    }

    /** Says why the plugin does not carry the shuffles of another shuffle manager. */
    private static Optional<String> tcpBecause(Settings settings, SparkConfFacts spark) {
        if (!settings.get(Options.ENABLED)) {
            return Optional.of(Options.ENABLED.key() + " is false");
        }
        if (settings.get(Options.SHUFFLES) == ShufflesChoice.OWN) {
            return Optional.of(Options.SHUFFLES.key() + " is own");
        }
        return spark.values().getOrDefault(PluginFlags.PLUGINS, "").contains(PluginFlags.PLUGIN_CLASS)
                ? Optional.empty()
                : Optional.of(PluginFlags.PLUGINS + " does not name " + PluginFlags.PLUGIN_CLASS);
    }

    private static String limits(Settings settings, SparkConfFacts spark) {
        long heapBytes = spark.bytes("spark.executor.memory", MIB).orElse(DEFAULT_HEAP_BYTES);
        int cores = spark.number("spark.executor.cores", spark.cores());
        PartitionLimit limit = new PartitionLimit(
                settings.get(Options.WRITER_MAX_PARTITIONS),
                spark.number("spark.shuffle.sort.bypassMergeThreshold", BYPASS_THRESHOLD));
        boolean lz4 = compresses(spark) && LZ4_CODECS.contains(codec(spark));
        boolean accounted = (lz4 || !compresses(spark))
                && !spark.flag("spark.io.encryption.enabled", false)
                && !spark.flag("spark.memory.offHeap.enabled", false);
        long gatherBytes =
                lz4 ? spark.bytes("spark.io.compression.lz4.blockSize", 1).orElse(GATHER_BYTES) : GATHER_BYTES;
        int partitions =
                accounted ? limit.largest(gatherBytes, pageBytes(spark, heapBytes, cores)) : limit.largestUnaccounted();
        return "the plugin's writer for up to " + partitions + " partitions, gathering "
                + ByteFigures.bytes(gatherBytes)
                + " of each (executors of " + ByteFigures.bytes(heapBytes) + " and " + cores
                + (cores == 1 ? " core" : " cores") + "), by Spark's writers above";
    }

    private static boolean compresses(SparkConfFacts spark) {
        return spark.flag("spark.shuffle.compress", true);
    }

    private static String codec(SparkConfFacts spark) {
        return spark.values().getOrDefault("spark.io.compression.codec", LZ4);
    }

    /** Spark's rule: a sixteenth of a task's share of the memory for execution, in a power of two. */
    private static long pageBytes(SparkConfFacts spark, long heapBytes, int cores) {
        double usable = Math.max(0, heapBytes - RESERVED_BYTES) * spark.fraction("spark.memory.fraction", 0.6);
        double execution = usable * (1 - spark.fraction("spark.memory.storageFraction", 0.5));
        long share = Math.max(1, (long) (execution / cores / PAGES_PER_TASK));
        long page = Long.highestOneBit(share) == share ? share : Long.highestOneBit(share) << 1;
        return spark.bytes("spark.buffer.pageSize", 1)
                .orElse(Math.min(LARGEST_PAGE_BYTES, Math.max(SMALLEST_PAGE_BYTES, page)));
    }
}
