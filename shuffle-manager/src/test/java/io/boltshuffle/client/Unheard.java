package io.boltshuffle.client;

import org.jspecify.annotations.Nullable;

/** Routes and the session's state are the client's business, which is not part of this. */
final class Unheard implements AgentSession.Listener {
    @Override
    public void onReady(AgentSession ready) {
        // It is seen by its answers.
    }

    @Override
    public void onRoute(String host, @Nullable Refusal refusal) {
        // Fetches are tried on every route.
    }

    @Override
    public void onLost(AgentSession lost, Refusal why) {
        // It is seen by the blocks that fail.
    }
}
