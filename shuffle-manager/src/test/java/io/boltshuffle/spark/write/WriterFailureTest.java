package io.boltshuffle.spark.write;

import static io.boltshuffle.spark.write.WriterOutputTest.assertHolds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.boltshuffle.spark.write.WriterFixture.Output;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.Product2;

/** Writes and spills that break off, and files that cannot be made or deleted. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class WriterFailureTest {
    private static final int PARTITIONS = 40;
    private static final byte[] RECORD = new byte[10_000];

    private final WriterFixture fixture;
    private final Path directory;

    WriterFailureTest(@TempDir Path directory) {
        this.directory = directory;
        Map<String, String> settings = WriterMemoryTest.little("lz4", "kryo", false);
        settings.put("spark.task.maxFailures", "1");
        this.fixture = new WriterFixture(directory, settings);
    }

    @BeforeAll
    void makeTheDirectories() {
        inBuffers(new BreakingEncoder(Integer.MAX_VALUE, new IOException()), buffers -> null);
    }

    @AfterAll
    void endSpark() {
        fixture.close();
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new IOException("No space left on device"),
                new IllegalStateException("broken"),
                new OutOfMemoryError());
    }

    /**
     * The operator that wanted the memory may go on without it. The file has some of the bytes that the memory has,
     * too.
     */
    @ParameterizedTest
    @MethodSource("failures")
    void anOutputOfWhichASpillForOthersBrokeOffIsNeverCompleted(Throwable failure) {
        inBuffers(new BreakingEncoder(2, failure), buffers -> {
            buffers.write(0, RECORD, 0, RECORD.length);
            buffers.write(1, RECORD, 0, RECORD.length);
            assertThatThrownBy(buffers::spillForOthers).isSameAs(failure);

            assertNeverCompleted(buffers, failure);
            return null;
        });
    }

    @ParameterizedTest
    @MethodSource("failures")
    void anOutputOfWhichAWriteBrokeOffIsNeverCompleted(Throwable failure) {
        inBuffers(new BreakingEncoder(2, failure), buffers -> {
            assertThatThrownBy(() -> {
                        for (int record = 0; record < 100; record++) {
                            buffers.write(0, RECORD, 0, RECORD.length);
                        }
                    })
                    .isSameAs(failure);

            assertNeverCompleted(buffers, failure);
            return null;
        });
    }

    private void assertNeverCompleted(PartitionBuffers buffers, Throwable failure) {
        File output = directory.resolve("output").toFile();
        assertThatThrownBy(() -> buffers.writeOut(output))
                .isInstanceOf(IOException.class)
                .hasCause(failure);
        assertThat(output).doesNotExist();
    }

    @Test
    void aSpillGivesBackAllMemoryAndIsCountedOnlyIfItWroteSomething() {
        inBuffers(new PlainEncoder(32 << 10), buffers -> {
            Set<Path> before = fixture.files();
            buffers.spillForOthers();
            assertThat(buffers.spills()).isZero();
            assertThat(fixture.files()).isEqualTo(before);

            for (int record = 0; record < 20; record++) {
                buffers.write(record % 2, RECORD, 0, RECORD.length);
            }
            buffers.spillForOthers();
            buffers.spillForOthers(); // what was gathered, if that was less
            int spills = buffers.spills();
            assertThat(spills).isPositive();
            assertThat(TaskContext.get().taskMemoryManager().getMemoryConsumptionForThisTask())
                    .isZero();

            buffers.spillForOthers();
            assertThat(buffers.spills()).isEqualTo(spills);
            return null;
        });
    }

    @Test
    void clearingTheArenaLeavesNoChunk() {
        Arena arena = new Arena(1);
        arena.addChunk(new byte[100]);
        arena.addChunk(new byte[200]);
        assertThat(arena.append(0, RECORD, 0, 50)).isEqualTo(50);

        assertThat(arena.clear()).isEqualTo(300);

        assertThat(arena.capacity()).isZero();
        assertThat(arena.bytes()).isZero();
        assertThat(arena.append(0, RECORD, 0, 50)).isZero();
    }

    @Test
    void aSpillThatFindsNoDirectoryToWriteToFailsTheTaskAndLeavesNothing() throws IOException {
        ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
        Set<Path> before = fixture.files();
        List<Path> blocked = blockDirectories();
        try {
            Throwable thrown = fixture.inTask(() -> catchThrowable(() ->
                    fixture.writeHere(fixture.ours(), shuffle, fixture.newMapId(), Rows.noise(20_000, 1_000, 1_000))));

            assertThat(rootOf(thrown)).isInstanceOf(FileSystemException.class); // Kryo wraps it
        } finally {
            for (Path file : blocked) {
                Files.delete(file);
            }
        }
        assertThat(fixture.files()).isEqualTo(before);
    }

    /**
     * Spark makes directories 00 to 3f when it needs them. A file in the place of one is a directory that takes no
     * files.
     */
    private List<Path> blockDirectories() throws IOException {
        List<Path> blocked = new ArrayList<>();
        for (File root : Objects.requireNonNull(SparkEnv.get().blockManager().diskBlockManager())
                .localDirs()) {
            for (int index = 0; index < 64; index++) {
                Path sub = root.toPath().resolve(String.format("%02x", index));
                if (Files.isDirectory(sub)) {
                    try (Stream<Path> children = Files.list(sub)) {
                        if (children.findAny().isPresent()) {
                            continue;
                        }
                    }
                    Files.delete(sub);
                }
                blocked.add(Files.createFile(sub));
            }
        }
        return blocked;
    }

    @Test
    void aSpillFileThatCannotBeDeletedDoesNotFailTheTask() throws IOException {
        ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
        Rows rows = Rows.noise(20_000, 1_000, 1_000);
        List<Path> replaced = new ArrayList<>();

        Output output = fixture.write(fixture.ours(), shuffle, fixture.newMapId(), () -> new Iterator<>() {
            private final Iterator<Product2<Object, Object>> all = rows.iterator();

            @Override
            public boolean hasNext() {
                if (!all.hasNext() && replaced.isEmpty()) {
                    fixture.files().stream()
                            .filter(file -> file.getFileName().toString().startsWith("temp_shuffle"))
                            .forEach(file -> replaced.add(replaceByADirectory(file)));
                }
                return all.hasNext();
            }

            @Override
            public Product2<Object, Object> next() {
                return all.next();
            }
        });

        assertThat(replaced).hasSize(1);
        assertHolds(fixture, shuffle, output, rows);
        for (Path file : replaced) {
            Files.delete(file.resolve("child"));
            Files.delete(file);
        }
    }

    private static Path replaceByADirectory(Path file) {
        try {
            Files.delete(file);
            Files.createDirectory(file);
            Files.createFile(file.resolve("child"));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Use<T> {
        @Nullable T of(PartitionBuffers buffers) throws IOException;
    }

    /** Has a task use buffers of its own, which end with it. */
    private <T> void inBuffers(PartitionEncoder encoder, Use<T> use) {
        Callable<Boolean> task = () -> {
            TaskContext context = TaskContext.get();
            WriteFiles files = new WriteFiles(
                    SparkEnv.get().blockManager(),
                    context,
                    context.taskMetrics().shuffleWriteMetrics(),
                    64 << 10,
                    true,
                    false);
            PartitionTotals totals = new PartitionTotals(PARTITIONS, new SparkConf(false));
            try (PartitionBuffers buffers =
                    new PartitionBuffers(files, encoder, totals, PARTITIONS, WriterFixture.memory(context))) {
                use.of(buffers);
            }
            return true;
        };
        assertThat(fixture.inTask(task)).isTrue();
    }

    /** Passes bytes on unchanged, until it fails once. */
    private static final class BreakingEncoder implements PartitionEncoder {
        private final int failing;
        private final Throwable failure;
        private int calls;

        /** @param failing which call fails; the first is 1 */
        BreakingEncoder(int failing, Throwable failure) {
            this.failing = failing;
            this.failure = failure;
        }

        @Override
        public int gatherBytes() {
            return 32 << 10;
        }

        @Override
        public void encode(int partition, byte[] raw, int length, ByteSink sink) throws IOException {
            if (++calls == failing) {
                if (failure instanceof IOException e) {
                    throw e;
                }
                if (failure instanceof RuntimeException e) {
                    throw e;
                }
                throw (Error) failure;
            }
            sink.append(partition, raw, 0, length);
        }

        @Override
        public void finish(int partition, byte @Nullable [] raw, int length, ByteSink sink) throws IOException {
            if (raw != null) {
                encode(partition, raw, length, sink);
            }
        }

        @Override
        public void discard() {}
    }

    private static Throwable rootOf(Throwable thrown) {
        Throwable root = thrown;
        for (Throwable cause = root.getCause(); cause != null; cause = cause.getCause()) {
            root = cause;
        }
        return root;
    }
}
