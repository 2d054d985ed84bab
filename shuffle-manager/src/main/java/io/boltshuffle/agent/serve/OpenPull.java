package io.boltshuffle.agent.serve;

/** A pull that is served, from the peer's question until its memory goes back. Confined to the agent's loop. */
interface OpenPull {

    long id();

    void start();

    /** The peer said that it needs no more of it. Instead of {@link #end}. */
    void endFreed();

    /** The pull is over, whatever its state. Called once, by the server. */
    void end();
}
