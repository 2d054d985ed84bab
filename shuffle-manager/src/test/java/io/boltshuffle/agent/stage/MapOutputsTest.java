package io.boltshuffle.agent.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.wire.BlockRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MapOutputsTest {
    private static final int INDEX_BYTES = 80;
    private static final int LIMIT = 3;

    private final MapOutput output;
    private final MapOutputs outputs = new MapOutputs(LIMIT * (INDEX_BYTES + 512L));

    MapOutputsTest(@TempDir Path directory) throws IOException {
        Path index = Files.write(directory.resolve("index"), new byte[INDEX_BYTES]);
        output = MapOutput.read(Files.createFile(directory.resolve("data")), index, /* lasts= */ false);
    }

    private static BlockRange blockOf(long map) {
        return new BlockRange(0, map, 0, 1);
    }

    private void keep(long map) {
        outputs.keep("app", "1", blockOf(map), output, outputs.generation());
    }

    private boolean has(long map) {
        return outputs.find("app", "1", blockOf(map)) != null;
    }

    private List<Long> kept() {
        return LongStream.range(0, 6).filter(this::has).boxed().toList();
    }

    @Test
    void anOutputIsItsExecutorsAndItsApplicationsOnly() {
        keep(1);

        assertThat(outputs.find("app", "1", new BlockRange(0, 1, 5, 6))).isSameAs(output);
        assertThat(outputs.find("app", "2", blockOf(1))).isNull();
        assertThat(outputs.find("other", "1", blockOf(1))).isNull();
        assertThat(outputs.find("app", "1", new BlockRange(1, 1, 0, 1))).isNull();
    }

    @Test
    void theLeastRecentlyUsedMakeRoom() {
        keep(0);
        keep(1);
        keep(2);
        has(0);
        keep(3);

        assertThat(kept()).containsExactly(0L, 2L, 3L);
    }

    @Test
    void oneThatIsKeptTwiceCountsOnce() {
        for (int i = 0; i < 10; i++) {
            keep(1);
        }
        keep(2);
        keep(3);

        assertThat(kept()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void whatWasReadBeforeAllWasForgottenIsNotKept() {
        long before = outputs.generation();
        outputs.forget();
        outputs.keep("app", "1", blockOf(1), output, before);

        assertThat(kept()).isEmpty();
    }

    @Test
    void afterForgettingThereIsRoomAgain() {
        keep(0);
        keep(1);
        keep(2);
        outputs.forget();
        keep(3);
        keep(4);
        keep(5);

        assertThat(kept()).containsExactly(3L, 4L, 5L);
    }
}
