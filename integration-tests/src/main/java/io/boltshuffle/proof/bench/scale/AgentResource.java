package io.boltshuffle.proof.bench.scale;

import io.boltshuffle.cli.cluster.ProcessFigures;
import java.util.function.ToLongFunction;

/** What an agent holds. */
enum AgentResource {
    MEMORY("memory beside the slab, MB", 1e6, 24, figures -> figures.besideSharedBytes()),
    THREADS("threads", 1, 2, figures -> figures.threads()),
    SOCKETS("sockets", 1, 2, figures -> figures.sockets());

    private final String label;
    private final double unit;
    private final double allowance;

    @SuppressWarnings("ImmutableEnumChecker") // what is assigned captures nothing
    private final ToLongFunction<ProcessFigures> of;

    /** @param allowance in units: what comes and goes by itself, as pools and heaps do */
    AgentResource(String label, double unit, double allowance, ToLongFunction<ProcessFigures> of) {
        this.label = label;
        this.unit = unit;
        this.allowance = allowance;
        this.of = of;
    }

    /** Returns the label with its unit. */
    String label() {
        return label;
    }

    double in(ProcessFigures figures) {
        return of.applyAsLong(figures) / unit;
    }

    double allowance() {
        return allowance;
    }
}
