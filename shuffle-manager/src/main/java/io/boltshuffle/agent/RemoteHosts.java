package io.boltshuffle.agent;

import java.util.List;

/** What executors' sessions want of other hosts. Confined to the agent's loop. */
interface RemoteHosts {

    void fetch(FetchOrder order, FetchReceiver receiver);

    /** Makes contact with hosts that will be asked for. */
    void warm(List<String> hosts);

    /** Tells a listener that comes late what it would have been told. */
    void tell(RouteListener listener);
}
