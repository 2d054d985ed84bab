package io.boltshuffle.agent.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.serve.StagingPlan;
import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import io.boltshuffle.testing.ShuffleFiles;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damages index files of shuffles, which tell where a block lies. A pull is still answered with blocks that a peer
 * accepts, or with failures for just those blocks.
 */
class ShuffleIndexFuzzTest extends FuzzContract {
    private static final int REDUCERS = 4;
    private static final long WINDOW_BYTES = 4096;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    private long maps;

    @Override
    protected int thinning() {
        return 20;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        ExternalShuffleBlockSource source = new ExternalShuffleBlockSource();
        ShuffleFiles files = new ShuffleFiles(directory);
        source.register(new Registration(
                "app",
                "1",
                List.of(directory.toString()),
                ShuffleFiles.SUB_DIRS,
                "org.apache.spark.shuffle.sort.SortShuffleManager",
                Secret.of(new byte[0])));
        return Stream.of(new FuzzTarget(
                "shuffle-index",
                input -> pull(source, files, input),
                List.of(index(0, 10, 10, 5_000, 9_000)),
                Set.of()));
    }

    private static byte[] index(long... offsets) {
        ByteBuffer index = ByteBuffer.allocate(Long.BYTES * offsets.length);
        for (long offset : offsets) {
            index.putLong(offset);
        }
        return index.array();
    }

    /** Each file has a name of its own: the source keeps what it has read. */
    private void pull(ExternalShuffleBlockSource source, ShuffleFiles files, byte[] index) throws Exception {
        long map = maps++;
        files.writeDamaged(0, map, index, 9_000);
        List<BlockRange> blocks = List.of(
                new BlockRange(0, map, 0, 1),
                new BlockRange(0, map, 1, 3),
                new BlockRange(0, map, REDUCERS - 1, REDUCERS),
                new BlockRange(0, map, 0, REDUCERS));
        StagingPlan plan = StagingPlan.of(
                new PullRequest("app", "1", 1_000, WINDOW_BYTES, 0, blocks), source::locate, WINDOW_BYTES, () -> {});

        List<BlockSlice> slices =
                plan.parts().stream().map(StagingPlan.Part::slice).toList();
        ByteBuffer ready = ControlMessage.CODEC.encode(
                new ControlMessage.Ready(1, slices, plan.failures(), plan.detail(), List.of()));
        ControlMessage.CODEC.decode(ready.position(Integer.BYTES).slice());
        assertThat(plan.bytes()).isBetween(0L, WINDOW_BYTES);
        try (OpenFiles open = new OpenFiles(1, 1)) {
            for (StagingPlan.Part part : plan.parts()) {
                read(open, part.place());
            }
        }
    }

    /** A file that is too short is told by this exception, and costs just that block. */
    private static void read(OpenFiles open, FileRange range) {
        try {
            open.read(range, ByteBuffer.allocate((int) range.bytes()), Integer.MAX_VALUE, piece -> {});
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("before the end of the block");
        }
    }
}
