package io.boltshuffle.agent;

/**
 * Who an agent is.
 *
 * @param host the host it answers for, as Spark names it
 * @param instance random per process
 */
record AgentIdentity(String host, long instance) {}
