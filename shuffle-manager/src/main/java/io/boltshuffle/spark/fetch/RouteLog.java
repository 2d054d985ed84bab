package io.boltshuffle.spark.fetch;

import io.boltshuffle.spark.meter.FallbackReason;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs how blocks of each host travel: one line when that changes, never one for each fetch or block. The counters hold
 * the rest.
 *
 * <p><b>Threads:</b> safe from any.
 */
public final class RouteLog {
    private final Logger log;
    private final Map<String, Route> routes = new ConcurrentHashMap<>();

    public RouteLog() {
        this(LoggerFactory.getLogger(RouteLog.class));
    }

    public RouteLog(Logger log) {
        this.log = log;
    }

    /** The refusal that holds for a host, and the failures by RDMA since it took effect. */
    private record Route(Optional<FallbackReason> refusal, Set<FallbackReason> handedBack) {}

    /** Takes note of a plan. A plan that refuses single blocks only says nothing about the host. */
    void planned(FetchPlan plan) {
        Optional<FallbackReason> refusal = plan.hostRefusal();
        if (refusal.isEmpty() && plan.candidates().isEmpty()) {
            return;
        }
        Route route = routes.get(plan.host());
        if (route == null || !route.refusal().equals(refusal)) {
            change(plan.host(), refusal);
        }
    }

    /** Logs blocks that the transport handed back, once for each reason until the route changes. */
    void handedBack(String host, FallbackReason reason, String detail) {
        Route route = routes.get(host);
        if (route != null && route.handedBack().add(reason)) {
            log.warn(
                    "{}: blocks that RDMA handed back go by Netty, because {} ({}); further ones are only counted",
                    host,
                    reason.meaning(),
                    detail);
        }
    }

    private void change(String host, Optional<FallbackReason> refusal) {
        Route before = routes.put(host, new Route(refusal, ConcurrentHashMap.newKeySet()));
        if (before != null && before.refusal().equals(refusal)) {
            return;
        }
        refusal.ifPresentOrElse(
                reason -> log.info("{}: shuffle blocks go by Netty, because {}", host, reason.meaning()),
                () -> log.info("{}: shuffle blocks go by RDMA", host));
    }
}
