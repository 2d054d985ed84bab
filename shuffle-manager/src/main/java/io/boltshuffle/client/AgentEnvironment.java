package io.boltshuffle.client;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The environment variables that an agent keeps of the executor that starts it.
 *
 * <p>The agent outlives the executor's application and serves others. The executor's environment holds secrets that are
 * the application's alone, such as Spark's own and those of object stores. So the agent is given what is listed here
 * and nothing else; the JVM options that some environments hold are not listed either, because they may name passwords.
 */
public final class AgentEnvironment {

    /** What the operating system, its dynamic linker, its C library and the commands that an agent runs look at. */
    private static final Set<String> NAMES = Set.of(
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "LANG",
            "LANGUAGE",
            "TZ",
            "TMPDIR",
            "LD_LIBRARY_PATH",
            "LD_PRELOAD",
            "DYLD_LIBRARY_PATH",
            "DYLD_FALLBACK_LIBRARY_PATH",
            "MALLOC_ARENA_MAX");

    /** The locale, the verbs library and its drivers, and the virtual Thunderbolt. */
    private static final List<String> PREFIXES =
            List.of("LC_", "IBV_", "RDMAV_", "MLX4_", "MLX5_", "BNXT_", "EFA_", "BOLT_VTB_", "BOLT_SLOW_DISK");

    private AgentEnvironment() {}

    /** Removes every variable that an agent does not need. */
    public static void keepOnlyNeeded(Map<String, String> environment) {
        environment.keySet().removeIf(name -> !isNeeded(name));
    }

    private static boolean isNeeded(String name) {
        return NAMES.contains(name) || PREFIXES.stream().anyMatch(name::startsWith);
    }
}
