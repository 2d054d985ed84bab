package io.boltshuffle.rdma;

/**
 * State of a port ({@code ibv_query_port}).
 *
 * @param state port state
 * @param activeMtu path MTU in its verbs code: 3 is 1024 bytes, 5 is 4096 bytes
 * @param gidTableLength number of GID table entries, empty ones included
 * @param maxMessageBytes largest message the port carries
 * @param lid local identifier; 0 on Ethernet and Thunderbolt
 * @param linkLayer what the port runs on
 * @param gigabitsPerSecond signalling rate: width times speed
 */
public record PortAttributes(
        PortState state,
        int activeMtu,
        int gidTableLength,
        long maxMessageBytes,
        int lid,
        LinkLayer linkLayer,
        double gigabitsPerSecond) {}
