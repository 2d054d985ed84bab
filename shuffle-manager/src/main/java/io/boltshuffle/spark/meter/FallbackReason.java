package io.boltshuffle.spark.meter;

import java.util.Locale;

/**
 * Says why a block goes by Netty. Each reason has a counter of its name; a new reason adds its counter and its line in
 * the docs.
 */
public enum FallbackReason {
    DISABLED("`spark.boltshuffle.enabled` is `false`"),
    ENCRYPTED_WIRE("Spark's settings demand encryption on the wire and `spark.boltshuffle.allowCleartext` is not set"),
    BLOCK_KIND("the block is of a kind that RDMA does not carry, such as a push-merged chunk"),
    NO_AGENT("there is no node agent on this host, or it was lost"),
    NO_CONTACT("the two agents have not met yet, and a block in memory waits for no first contact"),
    PEER_UNREACHABLE("the other host's agent does not answer"),
    NO_CABLE("no cable joins the two hosts"),
    CABLE_PULLED("the cable between the two hosts was pulled, or one of them sleeps"),
    PEER_REFUSED("the two agents do not trust each other, or speak different versions"),
    LINK_FAILED("the link over the cable is down"),
    CORRUPT("bytes arrived that were not the ones sent; the link was taken down"),
    DEADLINE("the bytes did not arrive in time, see `spark.boltshuffle.fetch.timeout`"),
    NO_MEMORY("there was no registered memory in time, here or there"),
    BLOCK_NOT_FOUND("the other host's agent finds no such block"),
    BLOCK_UNAVAILABLE("the other host's agent cannot read the block, or does not know its executor"),
    STORAGE_HANGS("the other host's storage hangs: reads of a local directory there do not end"),
    OVERLOADED("the tasks requested more at once than an agent holds"),
    TOO_LARGE("the block does not fit the memory of this executor in one piece"),
    DISK_WRITE("the block could not be written to its file here"),
    TRANSPORT_ERROR("the RDMA transport has a defect: it threw instead of answering");

    private final String meaning;

    FallbackReason(String meaning) {
        this.meaning = meaning;
    }

    /** Returns the reason as it stands in the names of metrics. */
    String metricName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns words that complete the sentence "by Netty, because". */
    public String meaning() {
        return meaning;
    }
}
