package io.boltshuffle.agent.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.testing.ShuffleFiles;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalShuffleBlockSourceTest {
    private static final int SHUFFLE = 3;
    private static final long MAP = 7;

    private final Path first;
    private final Path second;
    private final ExternalShuffleBlockSource source = new ExternalShuffleBlockSource();

    ExternalShuffleBlockSourceTest(@TempDir Path directory) throws IOException {
        first = Files.createDirectory(directory.resolve("first"));
        second = Files.createDirectory(directory.resolve("second"));
    }

    private ShuffleFiles registered(Path localDir) {
        return registered(localDir, /* lastingFiles= */ false);
    }

    private ShuffleFiles registered(Path localDir, boolean lastingFiles) {
        source.register(new Registration(
                "app",
                "1",
                List.of(localDir.toString()),
                ShuffleFiles.SUB_DIRS,
                "org.apache.spark.shuffle.sort.SortShuffleManager",
                Secret.of(new byte[0]),
                lastingFiles));
        return new ShuffleFiles(localDir);
    }

    private FileRange locate(int startReduce, int endReduce) throws BlockUnavailableException {
        return source.locate("app", "1", new BlockRange(SHUFFLE, MAP, startReduce, endReduce));
    }

    @Test
    void everyBlockOfAMapOutputIsFoundWhereItsIndexTells() throws Exception {
        ShuffleFiles files = registered(first);
        files.write(SHUFFLE, MAP, 10, 0, 30);
        Path data = files.dataFile(SHUFFLE, MAP);

        assertPlace(locate(0, 1), data, 0, 10);
        assertPlace(locate(0, 1), data, 0, 10);
        assertPlace(locate(1, 2), data, 10, 0);
        assertPlace(locate(2, 3), data, 10, 30);
        assertPlace(locate(0, 3), data, 0, 40);
    }

    @Test
    void theIndexIsReadForTheFirstBlockOnly() throws Exception {
        ShuffleFiles files = registered(first);
        files.write(SHUFFLE, MAP, 10, 20);
        locate(0, 1);
        files.writeDamaged(SHUFFLE, MAP, new byte[0], 30);

        assertPlace(locate(1, 2), files.dataFile(SHUFFLE, MAP), 10, 20);
    }

    @Test
    void anExecutorThatRegistersAnewIsFoundInItsNewDirectory() throws Exception {
        registered(first).write(SHUFFLE, MAP, 10, 20);
        locate(0, 1);
        ShuffleFiles files = registered(second);
        files.write(SHUFFLE, MAP, 5, 6);

        assertPlace(locate(1, 2), files.dataFile(SHUFFLE, MAP), 5, 6);
    }

    @Test
    void anApplicationThatIsForgottenHasNoBlocks() throws Exception {
        registered(first).write(SHUFFLE, MAP, 10);
        locate(0, 1);
        source.forget("app");

        assertUnavailable(0, 1, FailureReason.UNKNOWN_BLOCK);
    }

    @Test
    void aPartitionBehindTheIndexIsUnknownWhetherTheOutputIsKnownOrNot() throws Exception {
        registered(first).write(SHUFFLE, MAP, 10, 20);

        assertUnavailable(2, 3, FailureReason.UNKNOWN_BLOCK);
        locate(0, 1);
        assertUnavailable(2, 3, FailureReason.UNKNOWN_BLOCK);
        assertUnavailable(0, 3, FailureReason.UNKNOWN_BLOCK);
    }

    @Test
    void anIndexThatGoesBackwardsIsAnErrorOfItsBlockOnly() throws Exception {
        ByteBuffer index = ByteBuffer.allocate(4 * Long.BYTES);
        index.putLong(0).putLong(10).putLong(5).putLong(20);
        ShuffleFiles files = registered(first);
        files.writeDamaged(SHUFFLE, MAP, index.array(), 20);

        assertPlace(locate(0, 1), files.dataFile(SHUFFLE, MAP), 0, 10);
        assertUnavailable(1, 2, FailureReason.READ_ERROR);
        assertPlace(locate(2, 3), files.dataFile(SHUFFLE, MAP), 5, 15);
    }

    @Test
    void anOutputThatWasReplacedIsNotReadByItsOldIndex() throws Exception {
        ShuffleFiles files = registered(first);
        files.write(SHUFFLE, MAP, 10, 20);
        locate(0, 1);
        Path data = files.dataFile(SHUFFLE, MAP);
        Files.move(Files.write(first.resolve("new"), new byte[40]), data, StandardCopyOption.REPLACE_EXISTING);

        FileRange range = locate(1, 2);
        try (OpenFiles open = new OpenFiles(1, 1)) {
            assertThatThrownBy(() -> open.read(range, ByteBuffer.allocate(20), 20, piece -> {}))
                    .hasMessageContaining("was replaced");
        }
    }

    @Test
    void filesLastIfTheirExecutorSaysSo() throws Exception {
        registered(first).write(SHUFFLE, MAP, 10, 20);
        locate(0, 1);
        assertThat(locate(1, 2).lasts()).isFalse();

        registered(second, /* lastingFiles= */ true).write(SHUFFLE, MAP, 10, 20);
        assertThat(locate(0, 1).lasts())
                .as("it is not known which file that is")
                .isFalse();
        assertThat(locate(1, 2).lasts()).isTrue();
        assertThat(locate(1, 2).part(5, 5).lasts()).isTrue();
    }

    private static void assertPlace(FileRange range, Path file, long offset, long bytes) {
        assertThat(range.isSamePlace(new FileRange(file, null, offset, bytes)))
                .as("%s", range)
                .isTrue();
    }

    private void assertUnavailable(int startReduce, int endReduce, FailureReason reason) {
        assertThatThrownBy(() -> locate(startReduce, endReduce))
                .isInstanceOfSatisfying(
                        BlockUnavailableException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(reason));
    }
}
