package io.boltshuffle.cli.cluster;

/**
 * How large a cluster is.
 *
 * @param executorMemory as Spark writes it: {@code 1g}
 */
public record ClusterSpec(int hosts, int coresPerHost, String executorMemory) {
    /** Hosts that share out the cores of this machine. */
    public static ClusterSpec sharing(int hosts, String executorMemory) {
        int cores = Math.max(1, Runtime.getRuntime().availableProcessors() / hosts);
        return new ClusterSpec(hosts, cores, executorMemory);
    }

    public int cores() {
        return hosts * coresPerHost;
    }
}
