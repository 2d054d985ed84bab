package io.boltshuffle.proof.bench.baseline;

import java.util.Map;

/** A way to run stock Spark that a sceptic would ask for. */
public enum Baseline {
    /** One connection to each peer, and the network code that this release of Spark chooses by itself. */
    DEFAULT("default", "as it comes", Map.of()),
    NIO("nio", "with NIO", Map.of("spark.shuffle.io.mode", "NIO")),
    /** Needs Linux. */
    EPOLL("epoll", "with EPOLL", Map.of("spark.shuffle.io.mode", "EPOLL")),
    CONNECTIONS_4("connections-4", "with 4 connections", Map.of("spark.shuffle.io.numConnectionsPerPeer", "4")),
    /** Spark's local directories are on a file system in memory. */
    TMPFS("tmpfs", "on tmpfs", Map.of());

    private final String word;
    private final String manner;

    @SuppressWarnings("ImmutableEnumChecker") // made by Map.of
    private final Map<String, String> settings;

    Baseline(String word, String manner, Map<String, String> settings) {
        this.word = word;
        this.manner = manner;
        this.settings = settings;
    }

    /** Returns how Spark runs, as it is said behind its name. */
    public String manner() {
        return manner;
    }

    /** Returns what is set beside the settings of the shuffle. */
    public Map<String, String> settings() {
        return settings;
    }

    /** Returns the word of the command line. */
    @Override
    public String toString() {
        return word;
    }
}
