package io.boltshuffle.trace;

/** The steps of a fetch of one window, in the order in which they come where nothing waits. */
public enum FetchStep {
    ASKED(Host.ASKING, "a task asks the client for blocks"),
    FETCH_SENT(Host.ASKING, "the client sends FETCH to the agent"),
    FETCH_HEARD(Host.ASKING, "the agent reads FETCH"),
    PULL_SENT(Host.ASKING, "the agent sends PULL to its peer"),
    PULL_HEARD(Host.SERVING, "the peer reads PULL"),
    BLOCKS_FOUND(Host.SERVING, "the blocks are looked up"),
    OFFER_MADE(Host.SERVING, "the blocks lie in memory, and the link takes the offer"),
    READY_SENT(Host.SERVING, "the peer sends READY"),
    READY_HEARD(Host.ASKING, "the agent reads READY"),
    TRANSFER_BEGUN(Host.ASKING, "receives or reads are posted"),
    GO_SENT(Host.ASKING, "the agent sends GO"),
    GO_SERVED(Host.SERVING, "the sends that GO asks for are posted"),
    VERIFIED(Host.ASKING, "every byte of a stripe is here and checked"),
    MOVED(Host.ASKING, "the pull is over"),
    BLOCKS_SENT(Host.ASKING, "the agent hands the blocks to the executor"),
    DELIVERED(Host.ASKING, "the client hands the blocks to the task's listener"),

    FREE_HEARD(Host.SERVING, "the peer reads FREE"),
    OFFER_WITHDRAWN(Host.SERVING, "the link is told that the offer is over");

    /** The host, of the two, that takes a step. */
    public enum Host {
        ASKING,
        SERVING
    }

    private final Host host;
    private final String words;

    FetchStep(Host host, String words) {
        this.host = host;
        this.words = words;
    }

    public Host host() {
        return host;
    }

    /** Says what happens, for people. */
    public String words() {
        return words;
    }

    /** Returns whether a task has waited for this step. */
    public boolean isWaitedFor() {
        return compareTo(DELIVERED) <= 0;
    }
}
