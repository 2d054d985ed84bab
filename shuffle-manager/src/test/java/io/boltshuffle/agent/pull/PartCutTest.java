package io.boltshuffle.agent.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.boltshuffle.agent.stage.FileRange;
import io.boltshuffle.agent.stage.StagingPlan;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.WireLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartCutTest {

    private static final int PART = 4 * WireLimits.FRAME_BYTES;

    private final PartCut cut = new PartCut(PART);

    private static List<StagingPlan.Part> run(long... sizes) {
        List<StagingPlan.Part> run = new ArrayList<>();
        long at = 0;
        for (int i = 0; i < sizes.length; i++) {
            FileRange place = new FileRange(Path.of("file"), null, at, sizes[i]);
            run.add(new StagingPlan.Part(new BlockSlice(i, 0, sizes[i], sizes[i]), place));
            at += sizes[i];
        }
        return run;
    }

    private static List<Long> bytes(List<PartCut.Piece> pieces) {
        return pieces.stream().map(PartCutTest::bytes).toList();
    }

    private static long bytes(PartCut.Piece piece) {
        return piece.parts().stream().mapToLong(part -> part.slice().bytes()).sum();
    }

    /** Each part may be three times as large as the one before it. */
    @Test
    void blocksGoTogetherWhileTheyFitAPart() {
        assertThat(bytes(cut.of(run(10_000, 6_000, 384, 1, 16_384, 16_000, 30_000, 1))))
                .containsExactly(16_384L, 32_385L, 30_001L);
    }

    @Test
    void aBlockThatIsMuchLargerIsCutAtWholeFramesAndOneThatIsNotIsLeft() {
        List<PartCut.Piece> pieces = cut.of(run(100, 3 * PART + 2 * PART, PART));

        assertThat(bytes(pieces)).containsExactly(100L, 3L * PART, 2L * PART, (long) PART);
        assertThat(pieces.stream().map(PartCut.Piece::isOfCutBlock).toList()).containsExactly(false, true, true, false);
        assertThat(pieces.get(2).parts().get(0).slice()).isEqualTo(new BlockSlice(1, 3L * PART, 2L * PART, 5L * PART));
        assertThat(((FileRange) pieces.get(2).parts().get(0).place()).offset()).isEqualTo(100 + 3L * PART);
        assertThat(bytes(cut.of(run(PART + PART / 2)))).containsExactly(PART + PART / 2L);
        assertThat(bytes(cut.of(run(8 * PART)))).containsExactly((long) PART, 3L * PART, 4L * PART);
    }

    /** Whatever the sizes are: all bytes are there in their order, and the frames that parts begin fit what is lost. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void nothingIsLostAndTheMemoryIsEnough(int seed) {
        Random random = new Random(seed);
        long[] sizes = new long[1 + random.nextInt(30)];
        long staged = 0;
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = 1L + random.nextInt(random.nextBoolean() ? 3_000 : 70_000);
            staged += sizes[i];
        }
        long at = 0;
        long memory = 0;
        for (PartCut.Piece piece : cut.of(run(sizes))) {
            assertThat(bytes(piece)).isPositive();
            memory = WireLimits.wholeFrames(memory) + bytes(piece);
            for (StagingPlan.Part part : piece.parts()) {
                assertThat(((FileRange) part.place()).offset()).isEqualTo(at);
                assertThat(part.place().bytes()).isEqualTo(part.slice().bytes());
                at += part.slice().bytes();
            }
        }
        assertThat(at).isEqualTo(staged);
        assertThat(memory).isLessThanOrEqualTo(staged + cut.lostBytes(staged));
    }

    @Test
    void aPartIsWholeFrames() {
        assertThatIllegalArgumentException().isThrownBy(() -> new PartCut(5_000));
        assertThatIllegalArgumentException().isThrownBy(() -> new PartCut(0));
    }
}
