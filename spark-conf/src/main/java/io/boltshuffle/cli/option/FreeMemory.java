package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.conf.ByteFigures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks whether a cluster fits into this machine's memory before it is started.
 *
 * @param freeBytes what programs can still take; without limit if the system does not say, as on macOS
 */
public record FreeMemory(long freeBytes) {
    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final Pattern AVAILABLE = Pattern.compile("(?m)^MemAvailable:\\s*(\\d{1,15}) kB$");

    /** A master or worker takes this: 256 MiB of heap, and the rest of its JVM. */
    private static final long DAEMON_BYTES = 320L << 20;
    /** An agent takes this besides its slab. */
    private static final long AGENT_BYTES = 160L << 20;

    public static FreeMemory ofThisMachine() {
        try {
            return new FreeMemory(available(new String(Files.readAllBytes(MEMINFO), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            return new FreeMemory(Long.MAX_VALUE);
        }
    }

    /** Reads the text of {@code /proc/meminfo}. */
    static long available(String meminfo) {
        Matcher matcher = AVAILABLE.matcher(meminfo);
        return matcher.find() ? Long.parseLong(matcher.group(1)) << 10 : Long.MAX_VALUE;
    }

    /**
     * Checks the memory. It counts the whole heap of every executor, though a cluster at rest uses none.
     *
     * @throws BoltException if it does not fit
     */
    public void require(ClusterSpec spec, long slabBytes) {
        long agent = slabBytes == 0 ? 0 : slabBytes + AGENT_BYTES;
        long needed = DAEMON_BYTES + spec.hosts() * (DAEMON_BYTES + spec.executorMemoryBytes() + agent);
        if (needed > freeBytes) {
            throw BoltException.environment(
                    "this machine has " + ByteFigures.bytes(freeBytes) + " of memory free, and " + spec.hosts()
                            + " hosts need about " + ByteFigures.bytes(needed),
                    "give fewer --hosts, or a smaller --executor-memory");
        }
    }
}
