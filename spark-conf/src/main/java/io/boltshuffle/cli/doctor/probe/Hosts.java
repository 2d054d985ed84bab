package io.boltshuffle.cli.doctor.probe;

import java.time.Duration;
import java.util.List;

/** Chooses how to reach a host: this machine without ssh, every other one with it. */
public final class Hosts {

    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private Hosts() {}

    /** Returns the probe of this machine, under its own name. */
    public static Probe local() {
        return new LocalProbe(localName());
    }

    /** Returns a probe for each name, in order; each name once. */
    public static List<Probe> named(List<String> names) {
        String local = localName();
        return names.stream().distinct().map(name -> named(name, local)).toList();
    }

    private static Probe named(String name, String local) {
        boolean here = name.equals("localhost") || name.equals(local) || name.equals(local.split("\\.", 2)[0]);
        return here ? new LocalProbe(name) : new SshProbe(name);
    }

    private static String localName() {
        String name = new LocalProbe("localhost")
                .run(List.of("hostname"), DEADLINE)
                .text()
                .orElse("")
                .strip();
        return name.isEmpty() ? "localhost" : name;
    }
}
