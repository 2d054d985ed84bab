package io.boltshuffle.agent;

import java.util.List;
import java.util.Optional;

/** The links to one peer that are up now. Confined to the agent's loop. */
interface LinkSet {

    List<ActiveLink> up();

    default Optional<ActiveLink> byId(int id) {
        return up().stream().filter(link -> link.id() == id).findFirst();
    }
}
