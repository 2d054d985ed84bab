package io.boltshuffle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UserCacheTest {
    private static final Path HOME = Path.of("/home/someone");

    @Test
    void eachSystemHasItsPlace() {
        assertThat(root(Map.of(), "Mac OS X")).isEqualTo("/home/someone/Library/Caches/boltshuffle");
        assertThat(root(Map.of(), "Linux")).isEqualTo("/home/someone/.cache/boltshuffle");
        assertThat(root(Map.of("XDG_CACHE_HOME", "/var/x"), "Linux")).isEqualTo("/var/x/boltshuffle");
    }

    @Test
    void theUsersChoiceWins() {
        assertThat(root(Map.of("BOLT_CACHE", "/big disk", "XDG_CACHE_HOME", "/var/x"), "Linux"))
                .isEqualTo("/big disk");
    }

    private static String root(Map<String, String> environment, String osName) {
        return UserCache.of(environment, HOME, osName).root().toString();
    }
}
