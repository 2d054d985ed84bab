package io.boltshuffle.agent.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StagingReadTest {
    private static final int PAGE = 4096;
    private static final int FILE_BYTES = 700_001;

    private final byte[] content = new byte[FILE_BYTES];
    private final Path path;

    StagingReadTest(@TempDir Path directory) throws IOException {
        new Random(5).nextBytes(content);
        path = Files.write(directory.resolve("file"), content);
    }

    /** Room of which the byte that is filled first has this place in its page. */
    private static ByteBuffer room(int placeInPage, int bytes) {
        ByteBuffer room = ByteBuffer.allocateDirect(bytes + 3 * PAGE).alignedSlice(PAGE);
        return room.limit(placeInPage + bytes).position(placeInPage);
    }

    private ByteBuffer read(long offset, int placeInPage, int bytes) throws IOException {
        ByteBuffer into = room(placeInPage, bytes);
        try (FileChannel file = FileChannel.open(path)) {
            StagingRead.fill(file, offset, into);
        }
        return into.position(placeInPage);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, false",
        "0, 1, true",
        "0, 31, true",
        "0, 32, false",
        "4096, 4095, false",
        "4095, 0, true", // one above, round the page's end
        "8190, 0, true",
        "5, 4, false",
        "1048574, 0, true",
        "1099511627776, 16, true"
    })
    void slowIsWhatLiesALittleAboveItsSource(long offset, int placeInPage, boolean slow) {
        assertThat(StagingRead.isSlow(offset, placeInPage)).isEqualTo(slow);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 31, 32, 2048, 4095})
    void bytesAreTheSameWhereverTheyGo(int distance) throws IOException {
        for (int bytes : new int[] {1, PAGE - 1, PAGE, 256 << 10, (256 << 10) + 1, FILE_BYTES - 3}) {
            int placeInPage = (3 + distance) % PAGE;

            assertThat(read(3, placeInPage, bytes)).as("%d bytes", bytes).isEqualTo(ByteBuffer.wrap(content, 3, bytes));
        }
    }

    @Test
    void bytesOnTheHeapAreReadToo() throws IOException {
        ByteBuffer into = ByteBuffer.allocate(2 * PAGE);
        try (FileChannel file = FileChannel.open(path)) {
            StagingRead.fill(file, 7, into);
        }

        assertThat(into.flip()).isEqualTo(ByteBuffer.wrap(content, 7, 2 * PAGE));
    }

    @Test
    void whatLiesAroundTheRoomIsNotTouched() throws IOException {
        ByteBuffer into = room(8, PAGE);
        try (FileChannel file = FileChannel.open(path)) {
            StagingRead.fill(file, 0, into);
        }

        assertThat(into.get(7)).isZero();
        into.limit(into.capacity());
        assertThat(into.get(8 + PAGE)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8})
    void aFileThatEndsTooSoonIsAnError(int distance) {
        int start = 600_000;

        assertThatThrownBy(() -> read(start, (start + distance) % PAGE, 200_000))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("ends at " + FILE_BYTES);
    }

    @Test
    void theBufferBetweenIsSlowForNeitherCopy() {
        for (int offset = 0; offset < PAGE; offset++) {
            for (int distance = 1; distance < 32; distance++) {
                int place = StagingRead.startInBuffer(offset, 16) + 16;
                int destination = offset + distance;

                assertThat(StagingRead.isSlow(offset, place)).isFalse();
                assertThat(StagingRead.isSlow(place, destination)).isFalse();
            }
        }
    }
}
