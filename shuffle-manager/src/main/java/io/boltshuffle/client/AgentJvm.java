package io.boltshuffle.client;

import java.util.List;
import java.util.Map;

/**
 * What the virtual machine of an agent is told.
 *
 * <p>An agent lives for minutes beside tasks that want every core, and what it spends is copying by the kernel and
 * checksums by machine code that every compiler of the virtual machine uses. The second compiler would cost more than
 * it could save, and a collector with threads of its own more than there is to collect. The first compiler takes
 * methods up early, because between two bulks of bytes the interpreter is slow on caches that are cold.
 *
 * <p>The heap begins small, and new objects get little room: what is touched before the first collection finds that
 * hardly any lives stays resident, by default a hundred megabytes. Without performance counters in a file, which only
 * {@code jps} and {@code jstat} read, no thread wakes twenty times a second to write them.
 *
 * <p>On Linux, glibc would keep what each of some forty threads allocated in an arena of its own: several megabytes for
 * an agent that allocates off the heap when it starts and hardly ever after.
 *
 * <p>Logging ends when the agent has ended, not by a hook of its own beside it: the last lines say why the agent ended.
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

    /** Environment variables of the process. Systems other than Linux do not know them. */
    public static final Map<String, String> ENVIRONMENT = Map.of("MALLOC_ARENA_MAX", "1");

    private AgentJvm() {}

    /** A process ready to start; what the user set in the environment stays. */
    public static ProcessBuilder process(List<String> command) {
        ProcessBuilder process = new ProcessBuilder(command);
        ENVIRONMENT.forEach(process.environment()::putIfAbsent);
        return process;
    }
}
