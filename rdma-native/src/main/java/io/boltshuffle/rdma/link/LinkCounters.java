package io.boltshuffle.rdma.link;

/**
 * A link's counts so far, all growing only.
 *
 * @param bytesVerified bytes fetched and checked
 * @param bytesServed bytes sent; always 0 in read mode, where the server does not see them
 * @param messagesVerified messages fetched and checked
 * @param transfersVerified transfers that ended well
 * @param transfersFailed transfers that ended otherwise
 * @param quarantined ranges given up because they could not be shown safe
 * @param calibrationBytes bytes fetched and sent to measure the cable before it was up, apart from the others
 */
public record LinkCounters(
        long bytesVerified,
        long bytesServed,
        long messagesVerified,
        long transfersVerified,
        long transfersFailed,
        long quarantined,
        long calibrationBytes) {}
