package io.boltshuffle.cli.doctor.probe;

import io.boltshuffle.os.OperatingSystem;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Everything collected on one host: an outcome for each command that was run. It is immutable. */
public record Evidence(String host, Map<ProbeCommand, Outcome> outcomes) {

    public Evidence {
        Map<ProbeCommand, Outcome> ordered = new EnumMap<>(ProbeCommand.class);
        ordered.putAll(outcomes);
        outcomes = Collections.unmodifiableMap(ordered);
    }

    public Outcome outcome(ProbeCommand command) {
        return outcomes.getOrDefault(command, Outcome.NOT_RUN);
    }

    /** Returns what the command printed; empty if it did not end by itself. */
    public String text(ProbeCommand command) {
        return outcome(command).text().orElse("");
    }

    public OperatingSystem platform() {
        return OperatingSystem.ofName(text(ProbeCommand.UNAME));
    }

    public Optional<String> unreachableBecause() {
        Outcome first = outcome(ProbeCommand.UNAME);
        return first.is(Outcome.Ending.UNREACHABLE) ? Optional.of(first.stderr()) : Optional.empty();
    }
}
