package io.boltshuffle.cli.joining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.cli.base.BoltException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveCodesTest {
    private final SettableClock clock = new SettableClock();
    private final Path directory;
    private final LiveCodes codes;

    LiveCodesTest(@TempDir Path parent) {
        this.directory = parent.resolve("codes");
        this.codes = new LiveCodes(directory, clock);
    }

    @Test
    void anotherProcessSeesACodeAndOneOfTwoThatUseItGetsIt() {
        codes.issue();
        LiveCodes others = new LiveCodes(directory, clock);

        assertThat(others.live()).hasSize(1);
        LiveCodes.Live code = others.live().get(0);
        assertThat(List.of(codes.take(code), others.take(code))).containsExactly(true, false);
        assertThat(codes.live()).isEmpty();
    }

    @Test
    void aCodeEndsWithItsTimeAndLeavesNoFile() {
        codes.issue();
        clock.advance(LiveCodes.LIFE.minusMillis(1));
        assertThat(codes.live()).hasSize(1);

        clock.advance(LiveCodes.LIFE);
        assertThat(codes.live()).isEmpty();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aCodeIsWithdrawnAfterSoManyWrongTriesThatAnotherOneMightHit() {
        codes.issue();
        for (int tries = 1; tries < LiveCodes.MOST_WRONG_TRIES; tries += 4096) {
            codes.wrongTries(4096);
        }

        assertThat(codes.live()).isEmpty();
    }

    @Test
    void thereAreOnlySoManyAtATime() {
        for (int i = 0; i < LiveCodes.MOST; i++) {
            codes.issue();
        }

        assertThatThrownBy(codes::issue).isInstanceOf(BoltException.class).hasMessageContaining("are waiting");
    }

    @Test
    void nobodyElseReadsThemAndTheCodeItselfIsNotKept() throws IOException {
        JoinCode code = codes.issue();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).singleElement().satisfies(file -> {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------");
                assertThat(file).content().doesNotContain(code.text());
            });
        }
    }
}
