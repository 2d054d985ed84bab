package io.boltshuffle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The words are those of pip 23 and 25. */
class PipFailureTest {
    @Test
    void aMissingNetworkIsNamedWithTheRemedy() {
        assertThat(told("""
                        WARNING: Retrying (Retry(total=1, connect=None)) after connection broken by 'E': /simple
                        ERROR: Could not find a version that satisfies pyspark==4.3.0 (from versions: none)
                        ERROR: No matching distribution found for pyspark==4.3.0
                        """))
                .contains("the Python package index is out of reach")
                .contains("SPARK_HOME");
    }

    @Test
    void anIndexWithoutTheReleaseIsToldApart() {
        assertThat(told("""
                        ERROR: Could not find a version that satisfies pyspark==4.2.7 (from versions: 2.1.1, 4.2.0)
                        ERROR: No matching distribution found for pyspark==4.2.7
                        """))
                .contains("the Python package index has no pyspark 4.3.0")
                .contains("--spark");
    }

    @Test
    void aFullDiskIsNamedWithTheRemedy() {
        assertThat(told("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n"))
                .contains("the disk is full")
                .contains("BOLT_CACHE");
        assertThat(told("Traceback (most recent call last):\nOSError: [Errno 28] No space left on device\n"))
                .contains("the disk is full");
    }

    @Test
    void anythingElseIsQuotedByItsLastError() {
        assertThat(told("Collecting pyspark==4.3.0\n  error: subprocess-exited\nERROR: the moon is wrong\n"))
                .contains("(the moon is wrong)");
        assertThat(told("")).contains("it did not say why");
    }

    private static String told(String said) {
        return PipFailure.explain("4.3.0", said.lines().toList()).getMessage();
    }
}
