package io.boltshuffle.proof.bench.network;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.HostNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A path that carries TCP between two hosts of this machine, as fast as its kernel is. */
public enum HostPath {
    /** Packets of 64 KiB that no interface cuts, sums or queues, which flatters TCP. */
    LOOPBACK("loopback", "loopback"),
    VETH_1500("veth-1500", 1500, true),
    VETH_9000("veth-9000", 9000, true),
    /** Each packet is cut, and summed, by the kernel, as for an interface that can do neither. */
    VETH_1500_NO_OFFLOADS("veth-1500-no-offloads", 1500, false),
    VETH_9000_NO_OFFLOADS("veth-9000-no-offloads", 9000, false);

    private static final int HOSTS = 2;

    private final String word;
    private final String title;
    private final int mtuBytes;
    private final boolean offloads;

    HostPath(String word, String title) {
        this.word = word;
        this.title = title;
        this.mtuBytes = 0;
        this.offloads = true;
    }

    HostPath(String word, int mtuBytes, boolean offloads) {
        this.word = word;
        this.title = "veth, MTU " + mtuBytes + (offloads ? "" : ", no offloads");
        this.mtuBytes = mtuBytes;
        this.offloads = offloads;
    }

    /**
     * Makes the network, which the teardown removes.
     *
     * @throws BoltException if this machine cannot have it; nothing is left then
     */
    public HostNetwork make(Teardown teardown) {
        if (this == LOOPBACK) {
            return HostNetwork.loopback(HOSTS);
        }
        try {
            return teardown.open(
                    () -> Namespaces.makePair(mtuBytes, offloads, SystemTool.OF_SYSTEM), Namespaces::remove);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what a table says of it. */
    public String title() {
        return title;
    }

    /** Returns the word of the command line. */
    @Override
    public String toString() {
        return word;
    }
}
