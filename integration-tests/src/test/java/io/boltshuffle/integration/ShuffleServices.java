package io.boltshuffle.integration;

import io.boltshuffle.os.FreePort;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.shuffle.ExternalBlockHandler;
import org.apache.spark.network.shuffle.RemoteBlockPushResolver;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;
import org.apache.spark.scheduler.SchedulerBackend;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.BlockManagerId$;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Spark's external shuffle service on each of the two hosts, at one port, as a cluster with dynamic allocation has it.
 */
public final class ShuffleServices implements AutoCloseable {
    private final List<Closeable> opened = new ArrayList<>();
    private final int port;

    private ShuffleServices(int port) {
        this.port = port;
    }

    /** Services of the Spark of these tests. */
    public static ShuffleServices start() throws IOException {
        return start(conf -> new ExternalBlockHandler(conf, null));
    }

    /** Services that merge the blocks that are pushed to them. */
    static ShuffleServices startMerging() throws IOException {
        return start(conf -> new ExternalBlockHandler(conf, null, new RemoteBlockPushResolver(conf, null)));
    }

    /** Services of Spark 3.5, whatever line the application is of. */
    static ShuffleServices startOlder() throws IOException, ReflectiveOperationException {
        OlderShuffleService older = new OlderShuffleService();
        ShuffleServices services = new ShuffleServices(FreePort.of(TwoHosts.HOSTS.get(0)));
        for (String host : TwoHosts.HOSTS) {
            services.opened.add(older.serve(host, services.port));
        }
        services.opened.add(older);
        return services;
    }

    private interface Handlers {
        ExternalBlockHandler newHandler(TransportConf conf) throws IOException;
    }

    private static ShuffleServices start(Handlers handlers) throws IOException {
        TransportConf conf = new TransportConf("shuffle", MapConfigProvider.EMPTY);
        TransportServer first = serve(conf, handlers, TwoHosts.HOSTS.get(0), 0);
        ShuffleServices services = new ShuffleServices(first.getPort());
        services.opened.add(first);
        services.opened.add(serve(conf, handlers, TwoHosts.HOSTS.get(1), first.getPort()));
        return services;
    }

    /** Has the driver ask these services to merge, as if the cluster's manager had named them. */
    void mergeFor(SparkContext context) throws ReflectiveOperationException {
        List<BlockManagerId> services = addresses();
        SchedulerBackend backend = context.schedulerBackend();
        Object merging = Proxy.newProxyInstance(
                SchedulerBackend.class.getClassLoader(),
                new Class<?>[] {SchedulerBackend.class, ExecutorAllocationClient.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getShufflePushMergerLocations")) {
                        return CollectionConverters.asScala(services).toList();
                    }
                    try {
                        return method.invoke(backend, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        Field field = SparkContext.class.getDeclaredField("_schedulerBackend");
        field.setAccessible(true);
        field.set(context, merging);
    }

    /** Returns where the services are, as Spark names those that merge. */
    private List<BlockManagerId> addresses() {
        return TwoHosts.HOSTS.stream()
                .map(host -> BlockManagerId.apply(
                        BlockManagerId$.MODULE$.SHUFFLE_MERGER_IDENTIFIER(), host, port, Option.empty()))
                .toList();
    }

    /** The port of both. */
    public int port() {
        return port;
    }

    /** Makes an application leave its shuffle files to these services. */
    SparkConf usedBy(SparkConf application) {
        return application
                .set("spark.shuffle.service.enabled", "true")
                .set("spark.shuffle.service.port", Integer.toString(port));
    }

    /**
     * The same for an application that pushes its blocks to these services, too. Spark pushes on YARN only, or where it
     * is tested; which services merge, YARN's back end says, and here {@link #mergeFor}.
     */
    SparkConf pushedToBy(SparkConf application) {
        return usedBy(application)
                .set("spark.testing", "true")
                .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                .set("spark.shuffle.push.enabled", "true")
                .set("spark.shuffle.push.minShuffleSizeToWait", "1")
                .set("spark.shuffle.push.minCompletedPushRatio", "1.0");
    }

    @Override
    public void close() throws IOException {
        for (Closeable each : opened) {
            each.close();
        }
    }

    private static TransportServer serve(TransportConf conf, Handlers handlers, String host, int port)
            throws IOException {
        return new TransportContext(conf, handlers.newHandler(conf), true).createServer(host, port, List.of());
    }
}
