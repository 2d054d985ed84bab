package io.boltshuffle.agent.peer;

/**
 * The names by which other agents know an agent.
 *
 * @param host the host it answers for, as Spark names it
 * @param instance random per process
 */
public record AgentIdentity(String host, long instance) {}
