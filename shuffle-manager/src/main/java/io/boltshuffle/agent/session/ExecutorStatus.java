package io.boltshuffle.agent.session;

/**
 * An executor's session, for the status.
 *
 * @param leases blocks it reads
 * @param pinnedBytes memory that those hold
 */
public record ExecutorStatus(
        String client, String application, String executor, int fetches, int leases, long pinnedBytes) {}
