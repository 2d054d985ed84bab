package io.boltshuffle.cli.runtime;

import io.boltshuffle.os.OperatingSystem;
import java.nio.file.Path;
import java.util.Map;

/**
 * The directory of fetched runtimes and event logs: {@code BOLT_CACHE}, or this operating system's place for caches.
 */
public record UserCache(Path root) {

    public static UserCache of(Map<String, String> environment) {
        String home = environment.getOrDefault("HOME", "");
        return of(
                environment,
                Path.of(home.isEmpty() ? System.getProperty("user.home") : home),
                OperatingSystem.current());
    }

    static UserCache of(Map<String, String> environment, Path userHome, OperatingSystem system) {
        String chosen = environment.getOrDefault("BOLT_CACHE", "");
        if (!chosen.isEmpty()) {
            return new UserCache(Path.of(chosen).toAbsolutePath());
        }
        if (system == OperatingSystem.MACOS) {
            return new UserCache(userHome.resolve("Library/Caches/boltshuffle"));
        }
        String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path caches = xdg.isEmpty() ? userHome.resolve(".cache") : Path.of(xdg);
        return new UserCache(caches.resolve("boltshuffle"));
    }

    Path gathered(GatheredJars jars, String release) {
        return root.resolve(jars.directory(release));
    }

    public Path eventLogs() {
        return root.resolve("event-logs");
    }
}
