package io.boltshuffle.cli.cluster;

/**
 * How large a cluster is.
 *
 * @param executorMemory as Spark writes it: {@code 1g}
 */
public record ClusterSpec(int hosts, int coresPerHost, String executorMemory) {
    public int cores() {
        return hosts * coresPerHost;
    }
}
