package io.boltshuffle.integration;

import static org.awaitility.Awaitility.await;

import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.VirtualCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.DeployMessages.RequestWorkerState$;
import org.apache.spark.deploy.DeployMessages.WorkerStateResponse;
import org.apache.spark.deploy.master.Master$;
import org.apache.spark.deploy.worker.Worker$;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.util.Utils$;
import scala.Option;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A standalone cluster of two hosts on this machine: Linux answers on all of 127.0.0.0/8, so two loopback addresses are
 * two hosts to Spark, and blocks between them cross the network stack. Master and workers live in the test's process;
 * executors are processes of their own. {@link VirtualCluster} is for Spark as users install it; here Spark is what is
 * on the test's class path, of any line, and the executors get that class path.
 *
 * <p><b>Ownership:</b> of the executors, too; {@link #close} waits for their end, so close the application first.
 */
final class TwoHosts implements AutoCloseable {
    static final List<String> HOSTS = List.of("127.0.0.2", "127.0.0.3");

    private final RunDirectory run;
    private final String own;
    private final Map<String, String> settings;
    private final RpcEnv master;
    private final List<RpcEnv> workers = new ArrayList<>();

    private TwoHosts(RunDirectory run, String own, Map<String, String> settings, RpcEnv master) {
        this.run = run;
        this.own = own;
        this.settings = settings;
        this.master = master;
    }

    /** @param directory for everything that the cluster writes */
    static TwoHosts start(Path directory) throws IOException {
        return start(directory, HOSTS);
    }

    /** @param addresses of the two hosts, which must be this machine's */
    static TwoHosts start(Path directory, List<String> addresses) throws IOException {
        return start(directory, addresses, "127.0.0.1");
    }

    /** @param own address of master and driver, as Spark wants it: of IPv6 in brackets, as the other two */
    static TwoHosts start(Path directory, List<String> addresses, String own) throws IOException {
        return start(directory, addresses, own, Map.of());
    }

    /** @param settings of master, workers and applications, such as those by which they encrypt what they say */
    static TwoHosts start(Path directory, Map<String, String> settings) throws IOException {
        return start(directory, HOSTS, "127.0.0.1", settings);
    }

    /** @param settings as of {@link #start(Path, Map)} */
    static TwoHosts start(Path directory, List<String> addresses, Map<String, String> settings) throws IOException {
        return start(directory, addresses, "127.0.0.1", settings);
    }

    private static TwoHosts start(Path directory, List<String> addresses, String own, Map<String, String> settings)
            throws IOException {
        // Spark looks for its jars here and takes no offence at finding none: executors get the test's class path.
        Files.createDirectories(
                Path.of(Objects.requireNonNull(System.getenv("SPARK_HOME"))).resolve("jars"));
        Utils$.MODULE$.clearLocalRootDirs(); // Spark keeps the first ones that a process asks for
        RunDirectory run = new RunDirectory(directory, false);
        SparkConf conf = new SparkConf(false)
                .set("spark.local.dir", run.directory("local").toString());
        settings.forEach(conf::set);
        TwoHosts hosts = new TwoHosts(
                run,
                own,
                settings,
                Master$.MODULE$.startRpcEnvAndEndpoint(own, 0, 0, conf)._1());
        for (int worker = 0; worker < addresses.size(); worker++) {
            hosts.workers.add(Worker$.MODULE$.startRpcEnvAndEndpoint(
                    addresses.get(worker),
                    0,
                    0,
                    1,
                    700,
                    new String[] {hosts.masterUrl()},
                    run.directory("hosts/" + worker + "/work").toString(),
                    Option.apply(worker),
                    conf,
                    Option.empty()));
        }
        return hosts;
    }

    /** Settings of an application that has one executor on each host and shuffles by the plugin. */
    SparkConf applicationConf(String name) {
        SparkConf conf = new SparkConf(false);
        settings.forEach(conf::set);
        return conf.setAppName(name)
                .setMaster(masterUrl())
                .set("spark.shuffle.manager", "io.boltshuffle.spark.BoltShuffleManager")
                .set("spark.driver.host", own)
                .set("spark.driver.bindAddress", own)
                .set("spark.ui.enabled", "false")
                .set("spark.local.dir", localDirectory().toString())
                .set("spark.sql.warehouse.dir", run.root().resolve("warehouse").toString())
                .set("spark.boltshuffle.agent.autoStart", "false")
                .set("spark.executor.memory", "600m")
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .set("spark.executor.defaultJavaOptions", executorOptions())
                // Without it the ratio is one of nothing, and the first tasks may find one host only.
                .set("spark.cores.max", "2")
                .set("spark.scheduler.minRegisteredResourcesRatio", "1.0")
                .set("spark.metrics.conf.executor.sink.csv.class", "org.apache.spark.metrics.sink.CsvSink")
                .set("spark.metrics.conf.executor.sink.csv.period", "1")
                .set("spark.metrics.conf.executor.sink.csv.unit", "seconds")
                .set(
                        "spark.metrics.conf.executor.sink.csv.directory",
                        metricsDirectory().toString());
    }

    /** Returns where executors write their metrics, a file for each. */
    Path metricsDirectory() {
        return run.directory("metrics");
    }

    /** Returns where executors keep shuffle files. */
    Path localDirectory() {
        return run.directory("local");
    }

    /**
     * Returns options for executors that live shortly: they start quickly, and the native libraries that they unpack go
     * with the test, even if they are killed.
     */
    private String executorOptions() {
        return VirtualCluster.QUICK_START + " " + run.temporaryFilesOption();
    }

    @Override
    public void close() {
        workers.forEach(TwoHosts::awaitEndOfExecutors);
        workers.forEach(RpcEnv::shutdown);
        workers.forEach(RpcEnv::awaitTermination);
        master.shutdown();
        master.awaitTermination();
        Utils$.MODULE$.clearLocalRootDirs(); // or the next test's driver would make ours again
    }

    /** Workers end executors in their own time; until then, those write to our directory. */
    private static void awaitEndOfExecutors(RpcEnv worker) {
        RpcEndpointRef endpoint = worker.setupEndpointRef(worker.address(), "Worker");
        ClassTag<WorkerStateResponse> answer = ClassTag$.MODULE$.apply(WorkerStateResponse.class);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> endpoint.askSync(RequestWorkerState$.MODULE$, answer)
                        .executors()
                        .isEmpty());
    }

    private String masterUrl() {
        return "spark://" + master.address().hostPort();
    }
}
