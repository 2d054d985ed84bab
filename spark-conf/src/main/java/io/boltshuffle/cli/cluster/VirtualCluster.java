package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.runtime.SparkLauncher;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A running standalone cluster: a master at the address of the drivers and one worker on each of the hosts. The system
 * chooses the ports unless the caller names them.
 *
 * <p><b>Ownership:</b> the teardown given to {@link #start} ends its processes.
 */
public final class VirtualCluster {
    /** Options for JVMs that do little: they start sooner, and leave the cores to the executors. */
    public static final String QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private static final Pattern MASTER_READY = Pattern.compile("Starting Spark master at (spark://\\S+)");
    private static final Pattern MASTER_UI = Pattern.compile("MasterWebUI[^\\n]* started at (http\\S+)");
    private static final Pattern WORKER_READY = Pattern.compile("Successfully registered with master (\\S+)");

    private final SparkRuntime runtime;
    private final ClusterSpec spec;
    private final RunDirectory run;
    private final HostNetwork network;
    private final String masterUrl;
    private final String uiUrl;

    private VirtualCluster(
            SparkRuntime runtime,
            ClusterSpec spec,
            RunDirectory run,
            HostNetwork network,
            String masterUrl,
            String uiUrl) {
        this.runtime = runtime;
        this.spec = spec;
        this.run = run;
        this.network = network;
        this.masterUrl = masterUrl;
        this.uiUrl = uiUrl;
    }

    /** The master's ports; 0 takes any free one. */
    public record Ports(int master, int ui) {
        static final Ports ANY = new Ports(0, 0);

        /** Spark's own; where one is taken, Spark takes the next. */
        public static final Ports USUAL = new Ports(7077, 8080);
    }

    /** Starts a cluster, as large as {@code spec} says, on the hosts of a network, at any free ports. */
    public static VirtualCluster start(
            SparkRuntime runtime, ClusterSpec spec, HostNetwork network, RunDirectory run, Teardown teardown) {
        return start(runtime, spec, network, Ports.ANY, run, teardown);
    }

    /** Starts a cluster with ports of the caller's choice. Returns when every worker has registered. */
    public static VirtualCluster start(
            SparkRuntime runtime,
            ClusterSpec spec,
            HostNetwork network,
            Ports ports,
            RunDirectory run,
            Teardown teardown) {
        SparkLauncher launcher = new SparkLauncher(runtime);
        String masterHost = network.driver();
        Daemon master = Daemon.start(
                "the Spark master",
                network.on(
                        masterHost,
                        launcher.prepare(
                                "org.apache.spark.deploy.master.Master",
                                List.of(
                                        "--host",
                                        masterHost,
                                        "--port",
                                        Integer.toString(ports.master()),
                                        "--webui-port",
                                        Integer.toString(ports.ui())),
                                daemonEnvironment(run, masterHost))),
                run,
                "master",
                teardown);
        String masterUrl = master.await(MASTER_READY);
        addWorkers(runtime, spec, network, masterUrl, run, teardown);
        return new VirtualCluster(runtime, spec, run, network, masterUrl, master.await(MASTER_UI));
    }

    /** Starts a worker on each host of a network. Returns when the master, which may be elsewhere, knows them all. */
    public static void addWorkers(
            SparkRuntime runtime,
            ClusterSpec spec,
            HostNetwork network,
            String masterUrl,
            RunDirectory run,
            Teardown teardown) {
        SparkLauncher launcher = new SparkLauncher(runtime);
        List<Daemon> workers = network.hosts().stream()
                .map(host -> {
                    ProcessBuilder worker = worker(launcher, spec, run, masterUrl, host);
                    return Daemon.start(
                            "the Spark worker of " + host, network.on(host, worker), run, "worker-" + host, teardown);
                })
                .toList();
        workers.forEach(worker -> worker.await(WORKER_READY));
    }

    private static ProcessBuilder worker(
            SparkLauncher launcher, ClusterSpec spec, RunDirectory run, String masterUrl, String host) {
        List<String> arguments = List.of(
                "--host",
                host,
                "--port",
                "0",
                "--webui-port",
                "0",
                "--cores",
                Integer.toString(spec.coresPerHost()),
                "--memory",
                spec.executorMemory(),
                "--work-dir",
                run.directory("hosts/" + host + "/work").toString(),
                masterUrl);
        return launcher.prepare("org.apache.spark.deploy.worker.Worker", arguments, daemonEnvironment(run, host));
    }

    /** Returns what a process on {@code host} sees: none of the user's Spark settings, and the disk of that host. */
    public static Map<String, String> daemonEnvironment(RunDirectory run, String host) {
        Map<String, String> environment = environment(run, host);
        environment.put("SPARK_DAEMON_MEMORY", "256m");
        environment.put("SPARK_DAEMON_JAVA_OPTS", QUICK_START + " " + run.temporaryFilesOption());
        return environment;
    }

    public static Map<String, String> environment(RunDirectory run, String host) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.keySet().removeIf(name -> name.startsWith("SPARK_") || name.equals("HADOOP_CONF_DIR"));
        environment.put("SPARK_LOCAL_IP", host);
        environment.put("SPARK_CONF_DIR", run.directory("conf").toString());
        environment.put(
                "SPARK_LOCAL_DIRS", run.directory("hosts/" + host + "/local").toString());
        return environment;
    }

    public SparkRuntime runtime() {
        return runtime;
    }

    public ClusterSpec spec() {
        return spec;
    }

    public RunDirectory run() {
        return run;
    }

    /** Returns the network that the hosts are on. */
    public HostNetwork network() {
        return network;
    }

    /** Returns the addresses that act as hosts, in order. */
    public List<String> hosts() {
        return network.hosts();
    }

    /** Returns {@code spark://127.0.0.1:...}, or another address where the hosts are on another network. */
    public String masterUrl() {
        return masterUrl;
    }

    /** Returns the page that lists the applications, each with a link to its own UI while it runs. */
    public String uiUrl() {
        return uiUrl;
    }
}
