package io.boltshuffle.agent.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.testing.ShuffleFiles;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.apache.spark.network.shuffle.ExecutorDiskUtils;
import org.apache.spark.network.shuffle.ExternalShuffleBlockResolver;
import org.apache.spark.network.shuffle.protocol.ExecutorShuffleInfo;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;
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
        source.register(registration("1", localDir, lastingFiles));
        return new ShuffleFiles(localDir);
    }

    /** A source that keeps less than the indexes of all outputs. */
    private static ExternalShuffleBlockSource keeping(long indexBytes, Path directory) {
        ExternalShuffleBlockSource small = new ExternalShuffleBlockSource(indexBytes);
        for (String executor : List.of("1", "2")) {
            small.register(registration(executor, directory, /* lastingFiles= */ false));
        }
        return small;
    }

    private static Registration registration(String executor, Path localDir, boolean lastingFiles) {
        return new Registration(
                "app",
                executor,
                List.of(localDir.toString()),
                ShuffleFiles.SUB_DIRS,
                "org.apache.spark.shuffle.sort.SortShuffleManager",
                Secret.of(new byte[0]),
                lastingFiles);
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
        assertThat(locate(0, 1).lasts()).isTrue();
        assertThat(locate(1, 2).lasts()).isTrue();
        assertThat(locate(1, 2).part(5, 5).lasts()).isTrue();
    }

    /** Each reducer in turn asks for its blocks of all outputs of a host. */
    @Test
    void whereNotAllIndexesAreKeptMostAreFoundAgainAndOfTheOthersTwoOffsetsAreRead() throws Exception {
        int maps = 30;
        int reducers = 100;
        int indexBytes = (reducers + 1) * Long.BYTES;
        ShuffleFiles files = new ShuffleFiles(first);
        for (int map = 0; map < maps; map++) {
            files.write(SHUFFLE, map, new int[reducers]);
        }
        ExternalShuffleBlockSource small = keeping(maps * (indexBytes + 512L) * 2 / 3, first);

        long firstRound = readByLocating(small, maps, 0);
        for (int reducer = 1; reducer < reducers; reducer++) {
            assertThat(readByLocating(small, maps, reducer)).isEqualTo(maps / 3 * 2L * Long.BYTES);
        }
        assertThat(firstRound).isEqualTo(maps / 3 * (2L * indexBytes + 2 * Long.BYTES));
    }

    private static long readByLocating(ExternalShuffleBlockSource from, int maps, int reducer) throws Exception {
        long before = from.indexBytesRead();
        for (int map = 0; map < maps; map++) {
            from.locate("app", "1", new BlockRange(SHUFFLE, map, reducer, reducer + 1));
        }
        return from.indexBytesRead() - before;
    }

    @Test
    void anExecutorThatRegistersCostsOthersNothing() throws Exception {
        new ShuffleFiles(first).write(SHUFFLE, MAP, 10, 20);
        ExternalShuffleBlockSource two = keeping(1 << 20, first);
        BlockRange block = new BlockRange(SHUFFLE, MAP, 0, 1);
        two.locate("app", "1", block);
        two.locate("app", "2", block);
        long before = two.indexBytesRead();

        two.register(registration("2", first, /* lastingFiles= */ false));
        two.locate("app", "1", block);
        assertThat(two.indexBytesRead()).isEqualTo(before);
        two.locate("app", "2", block);
        assertThat(two.indexBytesRead()).isEqualTo(before + 3 * Long.BYTES);
    }

    /** Sparse: it has room on any disk, and in no agent. */
    @Test
    void ofAnIndexLargerThanMemoryTwoOffsetsAreRead() throws Exception {
        ShuffleFiles files = registered(first);
        files.write(SHUFFLE, MAP, 10, 20);
        try (FileChannel index = FileChannel.open(files.indexFile(SHUFFLE, MAP), StandardOpenOption.WRITE)) {
            index.write(ByteBuffer.allocate(1), Long.BYTES * (1L << 31));
        }

        assertPlace(locate(1, 2), files.dataFile(SHUFFLE, MAP), 10, 20);
        assertUnavailable(1, Integer.MAX_VALUE, FailureReason.READ_ERROR);
        assertThat(source.indexBytesRead()).isEqualTo(4 * Long.BYTES);
    }

    /** Stock Spark's external shuffle service has this resolver. */
    @Test
    void placesAndFailuresAreThoseOfSparksResolver() throws Exception {
        List<String> directories = List.of(first.toString(), second.toString(), first + "/none");
        int subDirectories = 64;
        ExternalShuffleBlockResolver sparks =
                new ExternalShuffleBlockResolver(new TransportConf("shuffle", MapConfigProvider.EMPTY), null);
        sparks.registerExecutor(
                "app", "1", new ExecutorShuffleInfo(directories.toArray(String[]::new), subDirectories, "sort"));
        for (boolean kept : new boolean[] {true, false}) {
            ExternalShuffleBlockSource ours = new ExternalShuffleBlockSource(kept ? 1 << 20 : 0);
            ours.register(new Registration("app", "1", directories, subDirectories, "sort", Secret.of(new byte[] {1})));
            int found = 0;
            for (long map = 0; map < 40; map++) {
                writeAsSpark(directories, subDirectories, map);
                for (int start = 0; start < 5; start++) {
                    for (int end = start + 1; end < 6; end++) {
                        BlockRange block = new BlockRange(SHUFFLE, map, start, end);
                        String stock = sparks(sparks, "app", "1", block);
                        assertThat(ours(ours, "app", "1", block)).isEqualTo(stock);
                        found += stock.equals(NOWHERE) ? 0 : 1;
                    }
                }
            }
            assertThat(found).isBetween(100, 600);
            BlockRange block = new BlockRange(SHUFFLE, 0, 0, 1);
            assertThat(ours(ours, "app", "2", block)).isEqualTo(sparks(sparks, "app", "2", block));
            assertThat(ours(ours, "other", "1", block)).isEqualTo(sparks(sparks, "other", "1", block));
        }
    }

    private static final String NOWHERE = "nowhere";

    /** Four blocks. Where the last directory would have a file, there is none. */
    private static void writeAsSpark(List<String> directories, int subDirectories, long map) throws IOException {
        String name = "shuffle_" + SHUFFLE + "_" + map + "_0";
        ByteBuffer index = ByteBuffer.allocate(5 * Long.BYTES);
        index.putLong(0).putLong(map).putLong(map + 1).putLong(map + 1).putLong(map + 9);
        for (String suffix : List.of(".data", ".index")) {
            Path file = Path.of(
                    ExecutorDiskUtils.getFilePath(directories.toArray(String[]::new), subDirectories, name + suffix));
            if (!file.startsWith(directories.get(2))) {
                Files.createDirectories(file.getParent());
                Files.write(file, index.array());
            }
        }
    }

    private static String sparks(
            ExternalShuffleBlockResolver resolver, String application, String executor, BlockRange block) {
        try {
            FileSegmentManagedBuffer buffer = (FileSegmentManagedBuffer) resolver.getContinuousBlocksData(
                    application, executor, block.shuffleId(), block.mapId(), block.startReduce(), block.endReduce());
            // Spark opens the data file when it sends the block.
            return buffer.getFile().exists()
                    ? buffer.getFile() + " " + buffer.getOffset() + " " + buffer.getLength()
                    : NOWHERE;
        } catch (RuntimeException e) {
            return NOWHERE;
        }
    }

    private static String ours(
            ExternalShuffleBlockSource source, String application, String executor, BlockRange block) {
        try {
            FileRange range = source.locate(application, executor, block);
            return range.file() + " " + range.offset() + " " + range.bytes();
        } catch (BlockUnavailableException e) {
            assertThat(e.reason()).isEqualTo(FailureReason.UNKNOWN_BLOCK);
            return NOWHERE;
        }
    }

    private static void assertPlace(FileRange range, Path file, long offset, long bytes) {
        assertThat(List.of(range.file(), range.offset(), range.bytes())).isEqualTo(List.of(file, offset, bytes));
    }

    private void assertUnavailable(int startReduce, int endReduce, FailureReason reason) {
        assertThatThrownBy(() -> locate(startReduce, endReduce))
                .isInstanceOfSatisfying(
                        BlockUnavailableException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(reason));
    }
}
