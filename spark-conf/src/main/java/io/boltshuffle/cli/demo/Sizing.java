package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.VirtualCluster;
import java.util.Locale;
import java.util.Map;

/** Says how an amount of input is split for a cluster. */
public record Sizing(long bytes, int cores) {
    private static final long ROW_BYTES = 100;
    private static final long PARTITION_BYTES = 32L << 20;
    private static final int WAVES = 2;
    private static final long SMALL_BYTES = 256L << 20;

    public static Sizing of(long bytes, ClusterSpec cluster) {
        return new Sizing(bytes, cluster.cores());
    }

    public long rows() {
        return bytes / ROW_BYTES;
    }

    /** Returns enough partitions for two waves of tasks at least, so that a reduce task finds blocks on both hosts. */
    public int partitions() {
        return (int) Math.max((long) cores * WAVES, (bytes + PARTITION_BYTES - 1) / PARTITION_BYTES);
    }

    /**
     * Returns the scale factor. Factor 1 is about 1 GB of text; a quarter makes the two jobs take about equally long.
     */
    String tpchScale() {
        return String.format(Locale.ROOT, "%.4f", Math.max(0.005, bytes / 4.0 / (1L << 30)));
    }

    /**
     * Returns settings for processes that live for seconds. With little data, most of a job's time would go into
     * compiling: the JVM's code, and Spark's for its queries.
     *
     * @param options of each JVM
     */
    Map<String, String> quickStart(String options) {
        String quick = VirtualCluster.QUICK_START + " " + options;
        return bytes > SMALL_BYTES
                ? Map.of()
                : Map.of(
                        "spark.driver.extraJavaOptions",
                        quick,
                        "spark.executor.extraJavaOptions",
                        quick,
                        "spark.sql.codegen.wholeStage",
                        "false",
                        "spark.sql.codegen.factoryMode",
                        "NO_CODEGEN");
    }

    /** Counts the input, two outputs, one shuffle with its spills, and the tables. */
    long diskBytes() {
        return bytes * 6 + (256L << 20);
    }
}
