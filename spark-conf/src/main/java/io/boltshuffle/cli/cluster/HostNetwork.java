package io.boltshuffle.cli.cluster;

import java.util.List;

/**
 * Says where the hosts of a cluster are, and how a process comes to run on one. They are addresses of the loopback
 * network unless a measurement needs a network that is as slow as real ones.
 */
public interface HostNetwork {
    /**
     * Returns so many addresses of the loopback network.
     *
     * @throws io.boltshuffle.cli.base.BoltException if this machine does not answer on one of them
     */
    static HostNetwork loopback(int hosts) {
        return LoopbackHosts.first(hosts);
    }

    /** Returns the addresses that act as hosts, in order. */
    List<String> hosts();

    /** Returns the address at which the master and the drivers of jobs are. */
    String driver();

    /** Makes a process, which was not started yet, one of a host or of {@link #driver}. Returns the same builder. */
    ProcessBuilder on(String host, ProcessBuilder process);

    /** Returns a port that is free on every host. */
    int freePort();
}
