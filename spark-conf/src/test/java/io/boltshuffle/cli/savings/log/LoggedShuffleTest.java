package io.boltshuffle.cli.savings.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.savings.log.LoggedShuffle.Answer;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoggedShuffleTest {

    @ParameterizedTest
    @CsvSource({
        "200, NO, YES, BYPASS",
        "200, NO, UNKNOWN, BYPASS",
        "201, NO, YES, SERIALIZED",
        "201, NO, NO, SORT",
        "201, NO, UNKNOWN, UNKNOWN",
        "16777217, NO, YES, SORT",
        "2, YES, YES, SORT",
        "2, UNKNOWN, YES, UNKNOWN",
        ", NO, YES, UNKNOWN",
        ", YES, NO, SORT",
    })
    void theWriterIsTheOneThatSparkChooses(Integer partitions, Answer combine, Answer relocatable, SparkWriter writer) {
        OptionalInt known = partitions == null ? OptionalInt.empty() : OptionalInt.of(partitions);

        assertThat(new LoggedShuffle(known, combine, relocatable).writer(200)).isEqualTo(writer);
    }
}
