package io.boltshuffle.cli.up;

import io.boltshuffle.cli.agent.AgentOptions;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.HostCables;
import io.boltshuffle.cli.cluster.MachineSize;
import io.boltshuffle.cli.option.ByteSize;
import io.boltshuffle.cli.option.SlabOption;
import io.boltshuffle.conf.ByteFigures;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says how much of a machine its part in a cluster takes; the same for the first machine and those that join. */
final class NodeOptions {
    /** Spark refuses to start an executor with less. */
    private static final long LEAST_MEMORY = 512L << 20;

    @Option(
            names = "--cores",
            paramLabel = "N",
            description = "Cores of this machine's worker (default: all; of more than four, all but one).")
    private int cores;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "What executors on this machine share (default: all but a quarter, 2 GiB at least, and but "
                    + "the agent's).")
    private @Nullable ByteSize memory;

    @Mixin
    private final SlabOption slab = new SlabOption();

    @Option(
            names = "--conf",
            paramLabel = "KEY=VALUE",
            description = "An option of the agent (docs/configuration.md); may be repeated.")
    private final Map<String, String> settings = new LinkedHashMap<>();

    /**
     * The memory and cores that this machine gives to the cluster.
     *
     * @param worker one host, with the memory that its executors share
     */
    record Share(ClusterSpec worker, long slabBytes, Map<String, String> settings) {}

    Share share(Console console) {
        AgentOptions.check(settings);
        MachineSize machine = MachineSize.ofThisMachine();
        if (cores < 0) {
            throw BoltException.usage("--cores is " + cores + "; it has to be 1 or more");
        }
        long slabBytes =
                slab.bytesOfEach(1, MachineSize.slabBytes(machine.memoryBytes()), HostCables.LEAST_SLAB_BYTES, console);
        long bytes = memory != null ? memory.bytes() : machine.workerMemoryBytes(slabBytes);
        if (bytes < LEAST_MEMORY) {
            String least = "executors need " + ByteFigures.bytes(LEAST_MEMORY);
            throw memory != null
                    ? BoltException.usage("--memory is " + ByteFigures.bytes(bytes) + "; " + least + " at least")
                    : BoltException.environment(
                            "this machine has " + ByteFigures.bytes(machine.memoryBytes()) + " of memory, and " + least
                                    + " besides the system and the agent",
                            "give --memory and --slab, if you know better");
        }
        return new Share(
                new ClusterSpec(1, cores == 0 ? machine.workerCores() : cores, (bytes >> 20) + "m"),
                slabBytes,
                settings);
    }
}
