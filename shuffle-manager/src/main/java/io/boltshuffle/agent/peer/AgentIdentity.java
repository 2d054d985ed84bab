package io.boltshuffle.agent.peer;

/**
 * Who an agent is.
 *
 * @param host the host it answers for, as Spark names it
 * @param instance random per process
 */
public record AgentIdentity(String host, long instance) {}
