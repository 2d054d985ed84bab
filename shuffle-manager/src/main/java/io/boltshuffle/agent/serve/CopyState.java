package io.boltshuffle.agent.serve;

/** The states of a copy of a block of an owner's memory. */
enum CopyState {
    /** The owner is not asked yet. */
    NEW,
    /** The owner looks for the block. */
    ASKED,
    /** The owner has the block and keeps it as it is. */
    WAITING_FOR_MEMORY,
    /** The owner writes, whether or not somebody still wants the copy. */
    WRITING,
    /** The copy is whole. */
    LAID,
    /** The memory belongs to the pool again, or never came. */
    ENDED;

    boolean mayBecome(CopyState next) {
        return switch (this) {
            case NEW -> next == ASKED;
            case ASKED -> next == WAITING_FOR_MEMORY || next == ENDED;
            case WAITING_FOR_MEMORY -> next == WRITING || next == ENDED;
            case WRITING -> next == LAID || next == ENDED;
            case LAID -> next == ENDED;
            case ENDED -> false;
        };
    }

    /** Returns whether the owner has still to say that the block lies there. */
    boolean isBeforeLaid() {
        return this == NEW || this == ASKED || this == WAITING_FOR_MEMORY || this == WRITING;
    }
}
