package io.boltshuffle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.os.OperatingSystem;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UserCacheTest {
    private static final Path HOME = Path.of("/home/someone");

    @Test
    void eachSystemHasItsPlace() {
        assertThat(root(Map.of(), OperatingSystem.MACOS)).isEqualTo("/home/someone/Library/Caches/boltshuffle");
        assertThat(root(Map.of(), OperatingSystem.LINUX)).isEqualTo("/home/someone/.cache/boltshuffle");
        assertThat(root(Map.of("XDG_CACHE_HOME", "/var/x"), OperatingSystem.LINUX))
                .isEqualTo("/var/x/boltshuffle");
    }

    @Test
    void theUsersChoiceWins() {
        assertThat(root(Map.of("BOLT_CACHE", "/big disk", "XDG_CACHE_HOME", "/var/x"), OperatingSystem.LINUX))
                .isEqualTo("/big disk");
    }

    private static String root(Map<String, String> environment, OperatingSystem system) {
        return UserCache.of(environment, HOME, system).root().toString();
    }
}
