package io.boltshuffle.cli.option;

import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.conf.ByteFigures;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The size of a cluster on this machine, shared by the verbs that start one. */
public final class ClusterOptions {
    /** A single host has no blocks to fetch from another. */
    private static final int LEAST_HOSTS = 2;

    private static final int MOST_HOSTS = 16;
    private static final int MOST_CORES = 256;
    /** Spark refuses to start an executor with less. */
    private static final long LEAST_MEMORY = 512L << 20;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before it sets an option
    private CommandSpec command;

    private int hosts;
    private int coresPerHost;
    private ByteSize executorMemory = new ByteSize(LEAST_MEMORY);

    @Option(
            names = "--hosts",
            defaultValue = "2",
            paramLabel = "N",
            description = "Hosts, each a loopback address of its own, 2 to 16 (default: ${DEFAULT-VALUE}).")
    void setHosts(int count) {
        hosts = (int) inRange("--hosts", count, LEAST_HOSTS, MOST_HOSTS);
    }

    @Option(
            names = "--cores",
            defaultValue = "0",
            paramLabel = "N",
            description = "Cores of each host (default: 0, which shares out those of this machine).")
    void setCores(int count) {
        coresPerHost = (int) inRange("--cores", count, 0, MOST_CORES);
    }

    @Option(
            names = "--executor-memory",
            paramLabel = "SIZE",
            defaultValue = "1g",
            converter = ByteSize.Converter.class,
            description = "Heap of each executor (default: ${DEFAULT-VALUE}).")
    void setExecutorMemory(ByteSize size) {
        if (size.bytes() < LEAST_MEMORY) {
            throw new ParameterException(
                    command.commandLine(),
                    "--executor-memory is " + ByteFigures.bytes(size.bytes()) + "; it has to be "
                            + ByteFigures.bytes(LEAST_MEMORY) + " or more");
        }
        executorMemory = size;
    }

    /** Returns the requested size. If no cores were requested, the hosts share those of this machine. */
    public ClusterSpec spec() {
        String memory = (executorMemory.bytes() >> 20) + "m";
        return coresPerHost == 0 ? ClusterSpec.sharing(hosts, memory) : new ClusterSpec(hosts, coresPerHost, memory);
    }

    private long inRange(String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    command.commandLine(), option + " is " + value + "; it has to be " + least + " to " + most);
        }
        return value;
    }
}
