package io.boltshuffle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProgressLineTest {
    static ProgressLine[] lines() {
        return new ProgressLine[] {
            new ProgressLine.Tasks(3, "collect at TeraSort.java:37", 2, 8),
            new ProgressLine.Note("3 of 8: 1.2 GB/s"),
            new ProgressLine.JobsDone(60_000),
            new ProgressLine.ProgramDone("io.boltshuffle.examples.TeraGen")
        };
    }

    @ParameterizedTest
    @MethodSource("lines")
    void aLineIsReadAsItWasWritten(ProgressLine line) {
        assertThat(ProgressLine.parse(line.format())).contains(line);
    }

    @Test
    void textOfTheJobIsNoProgress() {
        assertThat(ProgressLine.parse("TeraGen: 100 rows")).isEmpty();
    }

    @Test
    void aLineThatWasCutOffIsNoProgress() {
        for (ProgressLine line : lines()) {
            String whole = line.format();
            for (int length = 0; length < whole.lastIndexOf('\t'); length++) {
                assertThat(ProgressLine.parse(whole.substring(0, length))).isEmpty();
            }
        }
        assertThat(ProgressLine.parse(ProgressLine.MARK + "\tjobs\tsoon")).isEmpty();
        assertThat(ProgressLine.parse(ProgressLine.MARK + "\tother\t1")).isEmpty();
    }

    @Test
    void aNameWithLineEndsStaysOnOneLine() {
        assertThat(new ProgressLine.Tasks(1, "a\tb\nc", 0, 1).format()).endsWith("a b c");
    }
}
