package io.boltshuffle.integration;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.shuffle.ExternalBlockHandler;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/**
 * Spark's external shuffle service on each of the two hosts, at one port, as a cluster with dynamic allocation has it.
 */
final class ShuffleServices implements AutoCloseable {
    private final List<Closeable> opened = new ArrayList<>();
    private final int port;

    private ShuffleServices(int port) {
        this.port = port;
    }

    static ShuffleServices start() throws IOException {
        TransportConf conf = new TransportConf("shuffle", MapConfigProvider.EMPTY);
        TransportServer first = serve(conf, TwoHosts.HOSTS.get(0), 0);
        ShuffleServices services = new ShuffleServices(first.getPort());
        services.opened.add(first);
        services.opened.add(serve(conf, TwoHosts.HOSTS.get(1), first.getPort()));
        return services;
    }

    /** Makes an application leave its shuffle files to these services. */
    SparkConf usedBy(SparkConf application) {
        return application
                .set("spark.shuffle.service.enabled", "true")
                .set("spark.shuffle.service.port", Integer.toString(port));
    }

    @Override
    public void close() throws IOException {
        for (Closeable each : opened) {
            each.close();
        }
    }

    private static TransportServer serve(TransportConf conf, String host, int port) throws IOException {
        return new TransportContext(conf, new ExternalBlockHandler(conf, null), true)
                .createServer(host, port, List.of());
    }
}
