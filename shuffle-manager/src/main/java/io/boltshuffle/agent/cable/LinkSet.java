package io.boltshuffle.agent.cable;

import java.util.List;
import java.util.Optional;

/** The links to one peer that are up now. Confined to the agent's loop. */
public interface LinkSet {

    List<ActiveLink> up();

    /** Returns whether a link is being built, which may be up soon. */
    default boolean isAnyOnItsWay() {
        return false;
    }

    default Optional<ActiveLink> byId(int id) {
        return up().stream().filter(link -> link.id() == id).findFirst();
    }
}
