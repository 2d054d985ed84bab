package io.boltshuffle.proof.bench.baseline;

import io.boltshuffle.cli.base.BoltException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** {@code --baseline}: in which ways stock Spark takes part besides as it comes. */
public final class BaselineOption {
    @Option(
            names = "--baseline",
            split = ",",
            paramLabel = "NAME",
            description = "Compare with stock Spark in these ways, too: nio and epoll set spark.shuffle.io.mode, "
                    + "connections-4 sets spark.shuffle.io.numConnectionsPerPeer, which is 1 by default, and tmpfs "
                    + "gives Spark local directories in /dev/shm (default: only as it comes).")
    private Set<Baseline> baselines = new TreeSet<>();

    /** @throws BoltException for what this machine cannot do */
    public void check() {
        check(System.getProperty("os.name"));
    }

    void check(String system) {
        if (baselines.contains(Baseline.EPOLL)
                && !system.toLowerCase(Locale.ROOT).startsWith("linux")) {
            throw BoltException.usage("--baseline epoll needs Linux, and this is " + system + ": leave epoll out");
        }
        if (baselines.contains(Baseline.TMPFS)) {
            MemoryDirectory.require();
        }
    }

    /** Returns those besides {@link Baseline#DEFAULT}, in the order of their declaration. */
    public List<Baseline> besidesDefault() {
        return baselines.stream()
                .filter(baseline -> baseline != Baseline.DEFAULT)
                .sorted()
                .toList();
    }
}
