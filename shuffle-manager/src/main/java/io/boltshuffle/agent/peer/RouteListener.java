package io.boltshuffle.agent.peer;

import io.boltshuffle.wire.FailureReason;

/** Hears when a peer comes within reach of RDMA, and when it goes. Called on the agent's loop. */
public interface RouteListener {

    void onRouteUp(String host);

    void onRouteDown(String host, FailureReason reason, String detail);
}
