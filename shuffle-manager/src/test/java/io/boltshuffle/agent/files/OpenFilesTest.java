package io.boltshuffle.agent.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenFilesTest {
    private static final int LIMIT = 3;
    private static final long IDLE_NANOS = 1_000;
    /** Later than anything that was read in a test. */
    private static final long LONG_AFTER = 1L << 40;

    private final Path directory;
    private final OpenFiles files = new OpenFiles(LIMIT, IDLE_NANOS);

    OpenFilesTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @AfterEach
    void close() {
        files.close();
    }

    private Path file(int number) throws IOException {
        return Files.write(directory.resolve("file-" + number), new byte[] {(byte) number, 1, 2, 3});
    }

    private void fill(FileRange range, ByteBuffer into) throws IOException {
        files.read(range, into, Integer.MAX_VALUE, piece -> {});
    }

    private ByteBuffer read(Path file, long offset, int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocateDirect(bytes);
        fill(new FileRange(file, null, offset, bytes), into);
        return into.flip();
    }

    @Test
    void aRangeIsReadWhole() throws IOException {
        assertThat(read(file(7), 1, 3)).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }

    @Test
    void aFileStaysOpenForTheNextReader() throws IOException {
        Path file = file(7);

        assertThat(read(file, 0, 1).get()).isEqualTo((byte) 7);
        assertThat(read(file, 0, 1).get()).isEqualTo((byte) 7);
        assertThat(files.kept()).containsExactly(file);
    }

    @Test
    void aFileThatTookAnothersPlaceIsTheOneThatIsRead() throws IOException {
        Path file = file(7);
        read(file, 0, 1);
        Files.move(file(8), file, StandardCopyOption.REPLACE_EXISTING);

        assertThat(read(file, 0, 1).get()).isEqualTo((byte) 8);
        assertThat(files.kept()).containsExactly(file);
    }

    @Test
    void aFileThatTookTheWantedOnesPlaceIsNotRead() throws IOException {
        Path file = file(7);
        Object identity = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        FileRange range = new FileRange(file, identity, 0, 1);
        fill(range, ByteBuffer.allocate(1));
        Files.move(file(8), file, StandardCopyOption.REPLACE_EXISTING);

        assertThatThrownBy(() -> fill(range, ByteBuffer.allocate(1))).hasMessageContaining("was replaced");
    }

    @Test
    void aFileWhoseNameLastsIsLookedAtOnlyWhenItIsOpened() throws IOException {
        Path file = file(7);
        Object identity = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        FileRange range = new FileRange(file, identity, /* lasts= */ true, 0, 1);
        fill(range, ByteBuffer.allocate(1));
        Files.delete(file);

        ByteBuffer again = ByteBuffer.allocate(1);
        fill(range, again);
        assertThat(again.flip().get()).isEqualTo((byte) 7);
        files.closeIdle(System.nanoTime() + LONG_AFTER);
        assertThatThrownBy(() -> fill(range, ByteBuffer.allocate(1))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void aFileWhoseNameLastsIsStillToldFromAnother() throws IOException {
        Path file = file(7);
        Object identity = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        fill(new FileRange(file, identity, /* lasts= */ true, 0, 1), ByteBuffer.allocate(1));
        Files.move(file(8), file, StandardCopyOption.REPLACE_EXISTING);
        Object other = Files.readAttributes(file, BasicFileAttributes.class).fileKey();

        ByteBuffer into = ByteBuffer.allocate(1);
        fill(new FileRange(file, other, /* lasts= */ true, 0, 1), into);
        assertThat(into.flip().get()).isEqualTo((byte) 8);
    }

    @Test
    void aDeletedFileIsGoneThoughItIsStillOpen() throws IOException {
        Path file = file(7);
        read(file, 0, 1);
        Files.delete(file);

        assertThatThrownBy(() -> read(file, 0, 1)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void theLeastRecentlyReadIsClosedWhenThereAreTooMany() throws IOException {
        for (int number = 0; number < LIMIT; number++) {
            read(file(number), 0, 1);
        }
        read(directory.resolve("file-0"), 0, 1);
        read(file(LIMIT), 0, 1);

        assertThat(files.kept())
                .containsExactly(directory.resolve("file-2"), directory.resolve("file-0"), directory.resolve("file-3"));
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "256, 64", "1024, 256", "20000, 4096", "9223372036854775807, 4096"})
    void aQuarterOfTheDescriptorsIsForFilesUpToALimit(long descriptors, int limit) {
        assertThat(OpenFiles.limit(descriptors)).isEqualTo(limit);
    }

    @Test
    void aFileThatNobodyReadsIsClosedAfterAWhile() throws IOException {
        read(file(7), 0, 1);

        files.closeIdle(System.nanoTime() - LONG_AFTER);
        assertThat(files.kept()).hasSize(1);
        files.closeIdle(System.nanoTime() + LONG_AFTER);
        assertThat(files.kept()).isEmpty();
    }

    @Test
    void aFileThatEndsTooSoonIsAnError() throws IOException {
        Path file = file(7);

        assertThatThrownBy(() -> read(file, 2, 3)).isInstanceOf(EOFException.class);
    }

    @Test
    void manyReadersOfManyFilesGetTheirBytesWhileFilesComeAndGo() throws Exception {
        ExecutorService readers = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Byte>> reads = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                int number = i % (3 * LIMIT);
                Path file = i < 3 * LIMIT ? file(number) : directory.resolve("file-" + number);
                reads.add(() -> (byte) (read(file, 0, 1).get() - number));
            }
            for (Future<Byte> difference : readers.invokeAll(reads)) {
                assertThat(difference.get()).isZero();
            }
        } finally {
            readers.shutdown();
        }
    }
}
