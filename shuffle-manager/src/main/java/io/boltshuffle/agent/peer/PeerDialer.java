package io.boltshuffle.agent.peer;

/** Opens control connections to peers. Confined to the agent's loop. */
interface PeerDialer {

    /**
     * Starts one attempt. Ends in {@link Peer#adopt}, {@link Peer#onDialFailed},
     * {@link Peer#onDialUnproven} or {@link Peer#onDialSuperseded}.
     */
    void dial(Peer peer);

    /** Gives the attempt up, if there is one; the peer is not told. */
    void cancel(String host);

    /** Gives the attempt up as {@link #cancel} does, and forgets the host's addresses. */
    void forget(String host);
}
