package io.boltshuffle.proof;

import io.boltshuffle.cli.base.SubcommandProvider;
import io.boltshuffle.proof.bench.BenchCommand;
import io.boltshuffle.proof.conformance.ConformanceCommand;
import io.boltshuffle.proof.lab.LabCommand;
import io.boltshuffle.proof.soak.SoakCommand;
import java.util.List;

/** Names the verbs of this jar to {@code bolt}. A new one is one class, listed here. */
public final class ProvingVerbs implements SubcommandProvider {

    @Override
    public List<Class<?>> verbs() {
        return List.of(BenchCommand.class, ConformanceCommand.class, LabCommand.class, SoakCommand.class);
    }
}
