package io.boltshuffle.spark.fetch;

import io.boltshuffle.spark.meter.ShuffleMetrics;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.util.Clock;

/**
 * Holds what all fetches of one executor share.
 *
 * @param netty Spark's own client
 * @param transport RDMA
 * @param fallbacks starts the Netty legs for blocks that RDMA handed back
 * @param elsewhere is told of outputs that are not in Spark's files
 */
public record FetchServices(
        BlockStoreClient netty,
        RdmaTransport transport,
        ShuffleMetrics metrics,
        RouteLog routes,
        FallbackLanes fallbacks,
        Clock clock,
        FilesElsewhere elsewhere) {

    FetchServices(
            BlockStoreClient netty,
            RdmaTransport transport,
            ShuffleMetrics metrics,
            RouteLog routes,
            FallbackLanes fallbacks,
            Clock clock) {
        this(netty, transport, metrics, routes, fallbacks, clock, new FilesElsewhere());
    }
}
