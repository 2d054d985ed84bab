package io.boltshuffle.cli.doctor.probe;

import io.boltshuffle.os.SystemCommand;
import java.time.Duration;
import java.util.List;

/** Runs commands on this machine. */
public final class LocalProbe implements Probe {

    private final String host;

    public LocalProbe(String host) {
        this.host = host;
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public Outcome run(List<String> arguments, Duration deadline) {
        SystemCommand.Result result = SystemCommand.run(deadline, arguments);
        return switch (result.ending()) {
            case ENDED -> Outcome.ran(result.exitCode(), result.stdout(), result.stderr());
            case TIMED_OUT -> Outcome.hung(result.stdout(), result.stderr());
            case NOT_STARTED -> Outcome.NOT_FOUND;
            case INTERRUPTED -> Outcome.NOT_RUN;
        };
    }
}
