package io.boltshuffle.client;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lists the environment variables that an agent keeps from the executor that starts it.
 *
 * <p>The agent outlives the executor's application and serves others. The executor's environment holds secrets that
 * belong to the application alone, such as Spark's own and those of object stores. The agent therefore gets the
 * variables listed here and no others. The list leaves out the variables that hold JVM options, because those options
 * may contain passwords.
 */
public final class AgentEnvironment {

    /**
     * These variables are read by the operating system, its dynamic linker, its C library and the commands that an
     * agent runs.
     */
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

    /** These prefixes cover the locale, the verbs library and its drivers, and virtual Thunderbolt. */
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
