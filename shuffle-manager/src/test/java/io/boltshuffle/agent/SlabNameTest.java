package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.wire.MeetingPlace;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlabNameTest {
    private final Path root;

    SlabNameTest(@TempDir Path root) {
        this.root = root;
    }

    /** macOS takes 31 bytes, the slash included, where Linux takes 255. */
    @Test
    void whateverTheHostIsCalledMacOsTakesTheNameForSharedMemory() throws Exception {
        Set<String> names = new HashSet<>();
        List<String> hosts =
                List.of("h", "127.0.0.2", "fd00::2", "Büro.local", "a".repeat(63), "b.".repeat(100) + "example");
        for (String host : hosts) {
            String name = SlabName.of(MeetingPlace.open(root, host));
            assertThatCode(() -> SlabLocation.posixSharedMemory(name)).doesNotThrowAnyException();
            names.add(name);
        }
        assertThat(names).hasSameSizeAs(hosts);
    }
}
