package io.boltshuffle.proof.bench.fetch;

import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.proof.bench.baseline.Baseline;
import io.boltshuffle.proof.bench.network.HostPath;

/**
 * The conditions under which one application measures both routes.
 *
 * @param path of Netty's bytes, and of all else but what goes by cable
 * @param baseline how Spark's own client and server run
 */
record FetchSetup(CableKind cables, HostPath path, Baseline baseline) {
    /** Returns the head of a table. */
    String title() {
        return cables.label() + " cables; Netty " + baseline.manner() + ", over " + path.title();
    }

    /** Returns a part of names of files. */
    String label() {
        return cables.label() + "-" + path + "-" + baseline;
    }
}
