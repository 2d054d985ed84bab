package io.boltshuffle.cli.doctor.probe;

import java.time.Duration;
import java.util.List;

/**
 * Runs a command on one host. It never throws, whatever the host does, and returns within the deadline plus a grace.
 */
public interface Probe {

    String host();

    Outcome run(List<String> arguments, Duration deadline);
}
