package io.boltshuffle.agent.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.wire.BlockRange;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MapOutputsTest {
    private static final int INDEX_BYTES = 80;
    private static final int LIMIT = 3;

    /** Look-ups in vain after which outputs that were of no use go. */
    private static final int MANY_MISSES = 16 * LIMIT + 1;

    private final MapOutput output = outputOf(INDEX_BYTES);
    private final MapOutputs outputs = new MapOutputs(LIMIT * (INDEX_BYTES + 512L));

    private static MapOutput outputOf(int indexBytes) {
        OutputFile file = new OutputFile(Path.of("data"), null, /* lasts= */ false);
        return new MapOutput(file, ByteBuffer.allocate(indexBytes).asLongBuffer());
    }

    private static BlockRange blockOf(long map) {
        return new BlockRange(0, map, 0, 1);
    }

    private void keep(long map) {
        keep("app", "1", map);
    }

    private void keep(String application, String executor, long map) {
        outputs.keep(application, executor, blockOf(map), output, outputs.generation());
    }

    private void missMany() {
        for (int i = 0; i < MANY_MISSES; i++) {
            outputs.hasRoomFor(INDEX_BYTES);
        }
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
    void thoseThatCameFirstStay() {
        keep(0);
        keep(1);
        keep(2);

        assertThat(outputs.hasRoomFor(INDEX_BYTES)).isFalse();
        keep(3);

        assertThat(kept()).containsExactly(0L, 1L, 2L);
    }

    @Test
    void thoseThatWereOfNoUseForManyRoundsMakeRoom() {
        keep(0);
        keep(1);
        keep(2);
        missMany();
        has(1);
        missMany();

        assertThat(kept()).containsExactly(1L);
        assertThat(outputs.hasRoomFor(INDEX_BYTES)).isTrue();
    }

    @Test
    void thoseThatAreOfUseStayHoweverManyOthersThereAre() {
        keep(0);
        keep(1);
        keep(2);
        for (int i = 0; i < 5; i++) {
            missMany();
            assertThat(kept()).containsExactly(0L, 1L, 2L);
        }
    }

    @Test
    void aLargeIndexHasNoRoom() {
        assertThat(new MapOutputs(1L << 30).hasRoomFor(1 << 20)).isTrue();
        assertThat(new MapOutputs(1L << 30).hasRoomFor((1 << 20) + 1)).isFalse();
        assertThat(new MapOutputs(1L << 30).hasRoomFor(Long.MAX_VALUE)).isFalse();
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
    void whatWasReadBeforeSomeWereForgottenIsNotKept() {
        long before = outputs.generation();
        outputs.forget("app", "1");
        outputs.keep("app", "1", blockOf(1), output, before);

        assertThat(kept()).isEmpty();
    }

    @Test
    void onlyThoseOfTheExecutorOrOfTheApplicationAreForgotten() {
        keep(0);
        keep("app", "2", 0);
        keep("other", "1", 0);

        outputs.forget("app", "1");
        assertThat(kept()).isEmpty();
        assertThat(outputs.find("app", "2", blockOf(0))).isSameAs(output);

        outputs.forget("app");
        assertThat(outputs.find("app", "2", blockOf(0))).isNull();
        assertThat(outputs.find("other", "1", blockOf(0))).isSameAs(output);
    }

    @Test
    void afterForgettingThereIsRoomAgain() {
        keep(0);
        keep(1);
        keep(2);
        outputs.forget("app");
        keep(3);
        keep(4);
        keep(5);

        assertThat(kept()).containsExactly(3L, 4L, 5L);
    }
}
