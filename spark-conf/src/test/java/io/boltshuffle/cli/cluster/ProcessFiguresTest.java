package io.boltshuffle.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessFiguresTest {
    @Test
    void theSystemsTextsAreUnderstood() {
        List<String> status = List.of("Name:\tjava", "RssAnon:\t  123456 kB", "RssShmem:\t 7 kB");
        assertThat(ProcessFigures.field(status, "RssAnon")).isEqualTo(123456);
        assertThat(ProcessFigures.field(List.of("Name:\tjava", "State:\tZ (zombie)"), "RssAnon"))
                .isZero();
    }

    @Test
    void slabsAreCountedThoughTheyAreDeleted() {
        assertThat(ProcessFigures.slabBytes(List.of(
                        "7f0000000000-7f0000004000 rw-s 00000000 00:1a 5 /dev/shm/bolt-abc",
                        "7f0000010000-7f0000011000 rw-s 00000000 00:1a 6                          /dev/shm/bolt-x "
                                + "(deleted)",
                        "7f0000020000-7f0000021000 rw-s 00000000 00:1a 7 /dev/shm/other",
                        "7f0000030000-7f0000031000 rw-p 00000000 00:00 0 ",
                        "7f0000040000-7f0000041000 r--p 00000000 08:01 9 /usr/lib/bolt-abc")))
                .isEqualTo(0x5000);
    }

    @Test
    void thisProcessHasThem() {
        assertThat(ProcessFigures.of(ProcessHandle.current().pid())).hasValueSatisfying(figures -> {
            assertThat(figures.descriptors()).isPositive();
            assertThat(figures.threads()).isPositive();
            assertThat(figures.privateBytes()).isPositive();
        });
    }
}
