package io.boltshuffle.agent.cable;

/**
 * A port of this host that was used, for the status.
 *
 * @param state what it does, in words
 */
public record PortStatus(String device, int port, String state) {}
