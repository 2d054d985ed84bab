package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.HostCables;
import io.boltshuffle.cli.cluster.NodeAgents;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Chooses what joins the hosts of a cluster on this machine, for verbs that also work without cables. */
public final class JoinOptions {
    @Option(
            names = "--cables",
            paramLabel = "KIND",
            defaultValue = "auto",
            description =
                    "What joins the hosts: ${COMPLETION-CANDIDATES}. send is virtual Thunderbolt by Apple's rules, read"
                            + " has RDMA READ, none leaves TCP; auto is send where there is the emulator (default:"
                            + " ${DEFAULT-VALUE}).")
    private CableKind kind = CableKind.AUTO;

    @Mixin
    private final SlabOption slab = new SlabOption();

    @Mixin
    private final EmulatorOption emulator = new EmulatorOption();

    /**
     * Returns the cables. It is called before anything is fetched or started, so that the user learns at once what this
     * machine lacks.
     */
    public HostCables cables(ClusterSpec spec, Console console) {
        return switch (kind) {
            case NONE -> HostCables.NONE;
            case SEND, READ -> joined(kind, emulator.require(), spec, console);
            case AUTO ->
                emulator.find()
                        .map(library -> joined(CableKind.SEND, library, spec, console))
                        .orElseGet(() -> {
                            console.line("there is no virtual Thunderbolt here: all blocks will go by TCP");
                            return HostCables.NONE;
                        });
        };
    }

    private HostCables joined(CableKind chosen, Path library, ClusterSpec spec, Console console) {
        return new HostCables(
                chosen,
                library,
                slab.bytesOfEach(spec.hosts(), NodeAgents.SLAB_BYTES, HostCables.LEAST_SLAB_BYTES, console));
    }
}
