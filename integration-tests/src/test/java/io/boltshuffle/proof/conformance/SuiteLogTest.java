package io.boltshuffle.proof.conformance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteLogTest {
    private final Path log;

    SuiteLogTest(@TempDir Path directory) {
        this.log = directory.resolve("log");
    }

    @Test
    void whatScalaTestSaysOfAnAbortIsTold() throws IOException {
        assertThat(lastWords("""
                Discovery completed in 1 second.
                *** RUN ABORTED ***
                  java.lang.IllegalArgumentException: not Suites: org.example.Base
                  at org.scalatest.tools.Runner$.doRunRunRunDaDoRunRun(Runner.scala:1)
                  ...
                """))
                .isEqualTo("*** RUN ABORTED *** | java.lang.IllegalArgumentException: not Suites: org.example.Base");
    }

    @Test
    void withoutAnAbortTheLastLinesAreTold() throws IOException {
        assertThat(lastWords("one\ntwo\n\nthree\nfour \u00ff\n\n")).isEqualTo("two | three | four \ufffd");
        assertThat(lastWords("\n")).isEqualTo("its log is empty");
    }

    @Test
    void longLinesAreShortened() throws IOException {
        assertThat(lastWords("x".repeat(100_000)))
                .hasSizeLessThan(400)
                .startsWith("xxx")
                .endsWith("...");
    }

    private String lastWords(String text) throws IOException {
        Files.writeString(log, text, ISO_8859_1);
        return SuiteLog.lastWords(log);
    }
}
