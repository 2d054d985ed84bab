package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.fetch.FetchOrder;
import io.boltshuffle.agent.fetch.FetchReceiver;
import java.util.List;

/** The services of other hosts that executors' sessions use. Confined to the agent's loop. */
public interface RemoteHosts {

    /** @param asker the session, which hears from now on whether the host can be reached */
    void fetch(RouteListener asker, FetchOrder order, FetchReceiver receiver);

    /**
     * Makes contact with hosts that will be asked for.
     *
     * @param asker the session, which hears from now on whether they can be reached
     */
    void expect(RouteListener asker, List<String> hosts);

    /** The session is over: hosts for which only it asked may be forgotten. */
    void forget(RouteListener asker);
}
