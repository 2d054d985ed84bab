package io.boltshuffle.cli.doctor;

import io.boltshuffle.cli.cluster.MachineSize;
import io.boltshuffle.cli.doctor.fabric.Fabric;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.MacHardware;
import io.boltshuffle.conf.Options;
import io.boltshuffle.topology.Host;
import io.boltshuffle.topology.MlxHostfile;
import io.boltshuffle.topology.Topology;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Writes the files of a Spark configuration directory for one cluster, by file name. */
final class ClusterProfile {

    static final String DEFAULTS_FILE = "spark-defaults.conf";
    static final String ENVIRONMENT_FILE = "spark-env.sh";
    static final String WORKERS_FILE = "workers";
    static final String TOPOLOGY_FILE = "topology.json";

    private static final String SHUFFLE_MANAGER = "io.boltshuffle.spark.BoltShuffleManager";
    private static final String PLUGIN = "io.boltshuffle.spark.BoltShufflePlugin";
    private static final long GIB = 1L << 30;

    private ClusterProfile() {}

    /** @param pluginJar the path of the plugin's jar on every host */
    static Map<String, String> of(Fabric fabric, String pluginJar) {
        Topology topology = fabric.toTopology();
        Map<String, String> files = new LinkedHashMap<>();
        files.put(DEFAULTS_FILE, defaults(fabric, topology, pluginJar));
        files.put(ENVIRONMENT_FILE, environment(fabric.hosts(), topology));
        files.put(
                WORKERS_FILE,
                String.join("\n", topology.hosts().stream().map(Host::name).toList()) + "\n");
        files.put(TOPOLOGY_FILE, MlxHostfile.of(topology).format());
        return files;
    }

    private static String defaults(Fabric fabric, Topology topology, String pluginJar) {
        return """
                # Written by 'bolt init' for: %s.
                # Use it with: spark-submit --properties-file THIS ..., or as SPARK_CONF_DIR on every host.
                spark.shuffle.manager %s
                spark.plugins %s
                spark.driver.extraClassPath %s
                spark.executor.extraClassPath %s
                %s%s
                # Registered memory of each host's agent: a sixteenth of the smallest host's memory, from 1 to 8 GiB.
                %s %dg

                # Agents find the cables themselves. To pin them, copy %s to one path on every host and name it here:
                # %s /path/to/%s
                """.formatted(
                        FabricSummary.of(fabric),
                        SHUFFLE_MANAGER,
                        PLUGIN,
                        pluginJar,
                        pluginJar,
                        master(topology)
                                .map(address -> "\n# The first host's.\nspark.master spark://" + address + ":7077\n")
                                .orElse(""),
                        executorMemory(fabric.hosts()),
                        Options.AGENT_SLAB.key(),
                        slabBytes(fabric.hosts()) / GIB,
                        TOPOLOGY_FILE,
                        Options.AGENT_TOPOLOGY_FILE.key(),
                        TOPOLOGY_FILE);
    }

    /**
     * Returns spark-env.sh. Spark takes the address to which its host name resolves; on a Mac with many ports that may
     * be any of them. The name that a host prints may differ from the one by which it is reached.
     */
    private static String environment(List<HostFacts> facts, Topology topology) {
        StringBuilder text = new StringBuilder("""
                # Shells that ssh starts know no Java on a Mac.
                for java in "$(/usr/libexec/java_home -v 17+ 2>/dev/null)" \
                  /opt/homebrew/opt/openjdk@17/libexec/openjdk.jdk/Contents/Home \
                  /opt/homebrew/opt/openjdk@21/libexec/openjdk.jdk/Contents/Home \
                  /opt/homebrew/opt/openjdk/libexec/openjdk.jdk/Contents/Home; do
                  [ -z "$java" ] || [ ! -x "$java/bin/java" ] || : "${JAVA_HOME:=$java}"
                done
                [ -z "${JAVA_HOME:-}" ] || export JAVA_HOME

                # Spark's own connections go over the network, not over a cable that may be pulled: each host's \
                address there.
                case "$(hostname)" in
                """);
        for (int i = 0; i < facts.size(); i++) {
            Host host = topology.hosts().get(i);
            String name = facts.get(i)
                    .hostname()
                    .orElse(host.name().substring(host.name().indexOf('@') + 1));
            host.addresses().stream()
                    .findFirst()
                    .ifPresent(address -> text.append("  ")
                            .append(name)
                            .append(" | ")
                            .append(name)
                            .append(".*) SPARK_LOCAL_IP=")
                            .append(address)
                            .append(" ;;\n"));
        }
        text.append("""
                esac
                export SPARK_LOCAL_IP

                # Executors call this host by that address, and a driver by its name unless told: with one name for
                # both they use one agent.
                if [ -n "${SPARK_LOCAL_IP:-}" ]; then
                  export SPARK_LOCAL_HOSTNAME="${SPARK_LOCAL_HOSTNAME:-$SPARK_LOCAL_IP}"
                fi

                """);
        master(topology)
                .ifPresent(address ->
                        text.append("export SPARK_MASTER_HOST=").append(address).append('\n'));
        return text.toString();
    }

    /** Returns an address, because a Mac's own name may lead to any of its ports. */
    private static Optional<String> master(Topology topology) {
        return topology.hosts().get(0).addresses().stream().findFirst();
    }

    /** Returns the setting, with its reason; nothing if no host told its memory. */
    private static String executorMemory(List<HostFacts> hosts) {
        OptionalLong smallest = smallestMemoryBytes(hosts);
        return smallest.isEmpty() ? "" : """

                # Half of the smallest host's memory; Spark's default is 1g.
                spark.executor.memory %dg
                """.formatted(Math.max(1, smallest.getAsLong() / 2 / GIB));
    }

    private static OptionalLong smallestMemoryBytes(List<HostFacts> hosts) {
        return hosts.stream()
                .map(HostFacts::hardware)
                .map(MacHardware::memoryBytes)
                .flatMapToLong(OptionalLong::stream)
                .min();
    }

    private static long slabBytes(List<HostFacts> hosts) {
        OptionalLong smallest = smallestMemoryBytes(hosts);
        return smallest.isPresent() ? MachineSize.slabBytes(smallest.getAsLong()) : Options.AGENT_SLAB.defaultValue();
    }
}
