package io.boltshuffle.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.client.LentMemory;
import io.boltshuffle.client.OutputLoan;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.wire.OutputLayout;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Product2;

/** Outputs that are laid in lent memory, and what becomes of the memory. */
class WriterPlaceTest {
    private static final int PARTITIONS = 11;
    private static final int ROOM = 64 << 20;

    private final Path directory;
    private final List<UnpublishedReason> unpublished = new ArrayList<>();
    private final List<Long> published = new ArrayList<>();

    WriterPlaceTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private final class Meter implements WriteMeter {
        @Override
        public void written(MapOutputFigures figures) {
            // The lab looks at files.
        }

        @Override
        public void published(long bytes) {
            published.add(bytes);
        }

        @Override
        public void unpublished(UnpublishedReason reason) {
            unpublished.add(reason);
        }

        @Override
        public void leftToSpark(StockReason reason) {
            throw new AssertionError(reason);
        }
    }

    /** Holds what the file of a task has, and how the task told its partitions. */
    @SuppressWarnings("ArrayRecordComponent") // nothing compares outputs as a whole
    private record Written(byte[] file, long[] lengths) {}

    @ParameterizedTest
    @CsvSource({"lz4, false", "zstd, false", "snappy, false", "none, false", "lz4, true", "zstd, true", "none, true"})
    void whatIsPublishedIsWhatTheFileHas(String codec, boolean encrypted) {
        try (WriterLab lab = new WriterLab(directory, settings(codec, encrypted))) {
            for (Rows rows : List.of(Rows.texts(20_000, 1_000), Rows.skewed(3_000, 40), Rows.noise(5, 3, 65_536))) {
                LentMemory lent = new LentMemory(ROOM);
                long map = lab.newMapId();
                Written written = write(lab, lab.shuffle(PARTITIONS), map, rows, granting(lent));

                assertThat(written.file()).isNotEmpty();
                assertThat(lent.content()).isEqualTo(written.file());
                assertThat(lent.publishedMap()).isEqualTo(map);
                assertThat(lent.lengths())
                        .isEqualTo(Arrays.stream(written.lengths()).boxed().toList());
                assertThat(lent.returns()).isEqualTo(1);
            }
            assertThat(published).hasSize(3);
            assertThat(unpublished).isEmpty();
        }
    }

    /** Partitions of some size begin frames in memory, and lie back to back in the file all the same. */
    @ParameterizedTest
    @CsvSource({"lz4, false", "zstd, false", "snappy, false", "none, false", "lz4, true", "zstd, true", "none, true"})
    void partitionsOfSomeSizeBeginFrames(String codec, boolean encrypted) {
        try (WriterLab lab = new WriterLab(directory, settings(codec, encrypted))) {
            Rows rows = Rows.noise(3_000, 400, 1_000);
            LentMemory lent = new LentMemory(ROOM);
            ShuffleDependency<Object, Object, Object> shuffle = lab.shuffle(PARTITIONS);
            Written framed = write(lab, shuffle, lab.newMapId(), rows, granting(lent));
            Written without = write(lab, shuffle, lab.newMapId(), rows, OutputLender.NONE);

            assertThat(lent.layout()).isEqualTo(OutputLayout.FRAMED);
            assertThat(lent.content()).isEqualTo(framed.file());
            assertThat(framed.lengths()).isEqualTo(without.lengths());
            if (!encrypted) { // the cipher begins with a random number
                assertThat(framed.file()).isEqualTo(without.file());
            }
        }
    }

    /** The writer asks for what the output can have at most, as far as it knows. */
    @ParameterizedTest
    @CsvSource({"lz4, false", "zstd, false", "snappy, false", "none, false", "zstd, true"})
    void theMemoryThatIsAskedForIsEnough(String codec, boolean encrypted) {
        try (WriterLab lab = new WriterLab(directory, settings(codec, encrypted))) {
            for (Rows rows : List.of(Rows.texts(20_000, 1_000), Rows.skewed(3_000, 40), Rows.noise(5, 3, 65_536))) {
                write(lab, lab.shuffle(PARTITIONS), lab.newMapId(), rows, (shuffle, bytes) -> granted((int) bytes));
            }
            assertThat(unpublished).isEmpty();
            assertThat(published).hasSize(3);
        }
    }

    @Test
    void anOutputThatOutgrowsItsMemoryIsWrittenWholeAndNotPublished() {
        try (WriterLab lab = new WriterLab(directory, settings("none", false))) {
            ShuffleDependency<Object, Object, Object> shuffle = lab.shuffle(PARTITIONS);
            Rows rows = Rows.skewed(3_000, 40);
            LentMemory lent = new LentMemory(100_000);
            Written small = write(lab, shuffle, lab.newMapId(), rows, granting(lent));
            Written large = write(lab, shuffle, lab.newMapId(), rows, OutputLender.NONE);

            assertThat(small.file()).hasSizeGreaterThan(100_000).isEqualTo(large.file());
            assertThat(lent.publishedMap()).isEqualTo(-1);
            assertThat(lent.returns()).isEqualTo(1);
            assertThat(unpublished).containsExactly(UnpublishedReason.OUTGROWN);
        }
    }

    @Test
    void onlyTheAttemptThatCommittedIsPublished() {
        try (WriterLab lab = new WriterLab(directory, settings("lz4", false))) {
            ShuffleDependency<Object, Object, Object> shuffle = lab.shuffle(PARTITIONS);
            long map = lab.newMapId();
            LentMemory first = new LentMemory(ROOM);
            LentMemory second = new LentMemory(ROOM);
            Written winner = write(lab, shuffle, map, Rows.texts(1_000, 100), granting(first));
            Written loser = write(lab, shuffle, map, Rows.texts(5_000, 100), granting(second));

            assertThat(loser.file()).isEqualTo(winner.file());
            assertThat(first.publishedMap()).isEqualTo(map);
            assertThat(second.publishedMap()).isEqualTo(-1);
            assertThat(second.returns()).isEqualTo(1);
            assertThat(unpublished).containsExactly(UnpublishedReason.NOT_COMMITTED);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = OutputLoan.Why.class,
            names = {"NO_AGENT", "NO_MEMORY", "LATE", "TOO_LARGE"})
    void withoutMemoryTheOutputIsWrittenAndTheReasonCounted(OutputLoan.Why why) {
        try (WriterLab lab = new WriterLab(directory, settings("lz4", false))) {
            Written written = write(
                    lab,
                    lab.shuffle(PARTITIONS),
                    lab.newMapId(),
                    Rows.texts(1_000, 100),
                    (shuffle, bytes) -> new OutputLoan.Refused(why));

            assertThat(written.file()).isNotEmpty();
            assertThat(unpublished).containsExactly(UnpublishedReason.valueOf(why.name()));
        }
    }

    @Test
    void aFailedWriteGivesTheMemoryBack() {
        try (WriterLab lab = new WriterLab(directory, settings("lz4", false))) {
            LentMemory lent = new LentMemory(ROOM);
            long map = lab.newMapId();
            ShuffleDependency<Object, Object, Object> shuffle = lab.shuffle(PARTITIONS);

            assertThatThrownBy(() -> write(lab, shuffle, map, Rows.texts(1_000, 100), (id, bytes) -> {
                        deleteDirectoryOf(shuffle.shuffleId(), map);
                        return new OutputLoan.Granted(lent.memory());
                    }))
                    .hasStackTraceContaining("NoSuchFileException");

            assertThat(lent.publishedMap()).isEqualTo(-1);
            assertThat(lent.returns()).isEqualTo(1);
            assertThat(published).isEmpty();
        }
    }

    /** Deletes the directory in which the output's file is to be made. */
    private static void deleteDirectoryOf(int shuffleId, long map) {
        File data = SparkEnv.get()
                .blockManager()
                .diskBlockManager()
                .getFile("shuffle_" + shuffleId + "_" + map + "_0.data");
        try (var files = Files.list(data.getParentFile().toPath())) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(data.getParentFile().toPath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aTaskThatIsKilledHalfWayAsksForNoMemory() {
        try (WriterLab lab = new WriterLab(directory, settings("lz4", false))) {
            Iterator<Product2<Object, Object>> records = Rows.texts(1_000, 100).iterator();
            Iterable<Product2<Object, Object>> broken = () -> new Iterator<>() {
                private int given;

                @Override
                public boolean hasNext() {
                    return true;
                }

                @Override
                public Product2<Object, Object> next() {
                    if (given++ == 500) {
                        throw new IllegalStateException("the task was killed");
                    }
                    return records.next();
                }
            };

            assertThatThrownBy(() -> write(lab, lab.shuffle(PARTITIONS), lab.newMapId(), broken, (shuffle, bytes) -> {
                        throw new AssertionError("asked for " + bytes);
                    }))
                    .hasStackTraceContaining("the task was killed");
        }
    }

    /** Pieces of a spill lie in memory, too; they come through no buffer. */
    @Test
    void whatIsCopiedFromAnotherFileLiesInMemoryToo() throws Exception {
        byte[] content = new byte[300_000];
        new Random(1).nextBytes(content);
        Path spill = Files.write(directory.resolve("spill"), content);
        Path file = directory.resolve("output");
        ByteBuffer memory = ByteBuffer.allocateDirect(500_000);
        try (FileChannel source = FileChannel.open(spill);
                FileAppender output = new FileAppender(FileAppender.open(file.toFile()), 64 << 10, false)) {
            output.layIn(memory.duplicate(), OutputLayout.PACKED);
            output.append(content, 0, 10);
            output.append(source, 5, 200_000, true);
            output.append(source, 7, 11, false);
            output.append(content, 20, 100_000);
            assertThat(output.position()).isEqualTo(300_021);
            output.finish();
            assertThat(output.isInMemory()).isTrue();
        }
        byte[] laid = new byte[300_021];
        memory.get(0, laid);
        assertThat(Files.readAllBytes(file)).isEqualTo(laid);
        assertThat(Arrays.copyOfRange(laid, 200_010, 200_021)).isEqualTo(Arrays.copyOfRange(content, 7, 18));
    }

    /** The pieces of the memory are more than one write takes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4_095, 4_096, 4_097, 70_000})
    void theFileHasNoGapsWhereTheMemoryHas(int partitionBytes) throws Exception {
        int partitions = 3_000_000 / Math.max(1_000, partitionBytes);
        byte[] content = new byte[partitions * partitionBytes];
        new Random(partitionBytes).nextBytes(content);
        Path file = directory.resolve("output");
        ByteBuffer memory = ByteBuffer.allocateDirect((int) OutputLayout.FRAMED.room(partitions, content.length));
        try (FileAppender output = new FileAppender(FileAppender.open(file.toFile()), 1 << 20, false)) {
            output.layIn(memory.duplicate(), OutputLayout.FRAMED);
            for (int partition = 0; partition < partitions; partition++) {
                output.beginPartition();
                output.append(content, partition * partitionBytes, partitionBytes);
            }
            output.finish();
            assertThat(output.isInMemory()).isTrue();
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
        for (int partition = 0; partition < partitions; partition++) {
            byte[] laid = new byte[partitionBytes];
            memory.get(partition * (int) OutputLayout.FRAMED.start(partitionBytes), laid);
            assertThat(laid)
                    .isEqualTo(
                            Arrays.copyOfRange(content, partition * partitionBytes, (partition + 1) * partitionBytes));
        }
    }

    /** Partitions fit, but not where their frames would begin. */
    @Test
    void anOutputWhoseGapsDoNotFitIsWrittenWhole() throws Exception {
        byte[] content = new byte[10_000];
        new Random(1).nextBytes(content);
        Path file = directory.resolve("output");
        try (FileAppender output = new FileAppender(FileAppender.open(file.toFile()), 64 << 10, false)) {
            output.layIn(ByteBuffer.allocateDirect(10_000), OutputLayout.FRAMED);
            for (int from = 0; from < 10_000; from += 5_000) {
                output.beginPartition();
                output.append(content, from, 5_000);
            }
            output.finish();
            assertThat(output.isInMemory()).isFalse();
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
    }

    private static OutputLender granting(LentMemory lent) {
        return (shuffle, bytes) -> new OutputLoan.Granted(lent.memory());
    }

    private static OutputLoan granted(int bytes) {
        return new OutputLoan.Granted(new LentMemory(bytes).memory());
    }

    private Written write(
            WriterLab lab,
            ShuffleDependency<Object, Object, Object> shuffle,
            long map,
            Iterable<? extends Product2<Object, Object>> records,
            OutputLender lender) {
        return lab.inTask(() -> {
            TaskContext task = TaskContext.get();
            @SuppressWarnings("unchecked")
            BaseShuffleHandle<Object, Object, Object> handle =
                    (BaseShuffleHandle<Object, Object, Object>) shuffle.shuffleHandle();
            ShuffleWriter<Object, Object> writer = writers(lab, lender)
                    .writer(handle, map, task, task.taskMetrics().shuffleWriteMetrics())
                    .orElseThrow();
            try {
                writer.write(WriterLab.asScala(records.iterator()));
            } catch (Exception | Error e) {
                writer.stop(false);
                throw e;
            }
            writer.stop(true);
            File data = lab.ours().shuffleBlockResolver().getDataFile(shuffle.shuffleId(), map);
            return new Written(
                    Files.readAllBytes(data.toPath()),
                    writer.getPartitionLengths().clone());
        });
    }

    private MapWriters writers(WriterLab lab, OutputLender lender) {
        SparkConf conf = SparkEnv.get().conf();
        Map<String, String> properties = new HashMap<>();
        Arrays.stream(conf.getAll()).forEach(entry -> properties.put(entry._1(), entry._2()));
        return new MapWriters(
                SparkEnv.get(), Settings.parse(properties), lab.ours().shuffleBlockResolver(), new Meter(), lender);
    }

    private static Map<String, String> settings(String codec, boolean encrypted) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "spark.serializer", "org.apache.spark.serializer.KryoSerializer",
                "spark.shuffle.compress", Boolean.toString(!codec.equals("none")),
                "spark.io.encryption.enabled", Boolean.toString(encrypted)));
        if (!codec.equals("none")) {
            settings.put("spark.io.compression.codec", codec);
        }
        return settings;
    }
}
