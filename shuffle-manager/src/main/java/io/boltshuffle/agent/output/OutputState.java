package io.boltshuffle.agent.output;

/** The states of the memory of one map output. */
enum OutputState {
    /** An executor writes it. */
    LENT,
    /** It is served; so many pulls as have a hold read it. */
    PUBLISHED,
    /** No new pull is served from it, and it goes when the last hold ends. */
    LEAVING,
    /** The memory belongs to the pool again. */
    GONE;

    boolean mayBecome(OutputState next) {
        return switch (this) {
            case LENT -> next == PUBLISHED || next == GONE;
            case PUBLISHED -> next == LEAVING || next == GONE;
            case LEAVING -> next == GONE;
            case GONE -> false;
        };
    }
}
