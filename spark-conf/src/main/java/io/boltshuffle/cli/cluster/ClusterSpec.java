package io.boltshuffle.cli.cluster;

/**
 * The size of a cluster.
 *
 * @param executorMemory as Spark writes it, in MiB: {@code 1024m}
 */
public record ClusterSpec(int hosts, int coresPerHost, String executorMemory) {
    /** Returns a size for hosts that share the cores of this machine. */
    public static ClusterSpec sharing(int hosts, String executorMemory) {
        int cores = Math.max(1, Runtime.getRuntime().availableProcessors() / hosts);
        return new ClusterSpec(hosts, cores, executorMemory);
    }

    /** Returns the size, which {@link #executorMemory} gives in whole MiB. */
    public long executorMemoryBytes() {
        return Long.parseLong(executorMemory.substring(0, executorMemory.length() - 1)) << 20;
    }

    public int cores() {
        return hosts * coresPerHost;
    }
}
