package io.boltshuffle.client;

import java.util.List;
import java.util.Map;

/**
 * Holds the options of an agent's virtual machine.
 *
 * <p>An agent lives for minutes beside tasks that use every core. It spends its time on copies by the kernel and on
 * checksums, for which every compiler of the virtual machine emits the same machine code. The second compiler would
 * cost more than it could save, and a collector with its own threads would cost more than there is to collect. The
 * first compiler compiles methods early, because the interpreter is slow on the cold caches between two large
 * transfers.
 *
 * <p>The heap starts small, and new objects get little room. Pages that are touched before the first collection stay
 * resident, although hardly any of their objects live; by default that is a hundred megabytes. Performance counters are
 * not written to a file, which only {@code jps} and {@code jstat} read, so no thread wakes twenty times a second to
 * write them.
 *
 * <p>On Linux, glibc would keep an arena for each of some forty threads. That is several megabytes for an agent that
 * allocates off-heap memory when it starts and rarely afterwards.
 *
 * <p>The agent ends logging itself when it has ended, instead of by a shutdown hook: the last lines say why the agent
 * ended.
 */
public final class AgentJvm {

    public static final List<String> OPTIONS = List.of(
            "-Xmx256m",
            "-Xms32m",
            "-Xmn8m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:CompileThresholdScaling=0.2",
            "-XX:-UsePerfData",
            "-Dorg.apache.logging.log4j.level=INFO",
            "-Dlog4j2.shutdownHookEnabled=false");

    /** These environment variables are set for the process. Systems other than Linux ignore them. */
    public static final Map<String, String> ENVIRONMENT = Map.of("MALLOC_ARENA_MAX", "1");

    private AgentJvm() {}

    /** Returns a process that is ready to start. It keeps the variables that the user set in the environment. */
    public static ProcessBuilder process(List<String> command) {
        ProcessBuilder process = new ProcessBuilder(command);
        ENVIRONMENT.forEach(process.environment()::putIfAbsent);
        return process;
    }
}
