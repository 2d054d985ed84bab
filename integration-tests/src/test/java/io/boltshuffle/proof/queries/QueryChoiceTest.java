package io.boltshuffle.proof.queries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.boltshuffle.cli.base.BoltException;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryChoiceTest {
    private static final Set<String> QUERIES = Set.of("q1", "q2", "q3", "q4", "q5", "v2.7-q5a");

    @Test
    void partsAreTheWholeAndHaveNothingInCommon() {
        assertThat(IntStream.rangeClosed(1, 4)
                        .boxed()
                        .flatMap(part -> QueryChoice.of(List.of(), part + "/4").of("tpcds", QUERIES).stream()))
                .containsExactlyInAnyOrderElementsOf(QUERIES);
    }

    @Test
    void aPartIsOfThoseThatAreNamed() {
        assertThat(QueryChoice.of(List.of("q5", "q1", "q4"), "1/2").of("tpcds", QUERIES))
                .containsExactly("q1", "q5");
    }

    @Test
    void aQueryThatIsNotThereIsNamed() {
        assertThatExceptionOfType(BoltException.class)
                .isThrownBy(() -> QueryChoice.of(List.of("q1", "q99"), "1/1").of("tpch", QUERIES))
                .withMessage("tpch has no query q99");
    }

    @Test
    void aPartWithoutQueriesIsRefused() {
        assertThatExceptionOfType(BoltException.class)
                .isThrownBy(() -> QueryChoice.of(List.of("q1"), "2/2").of("tpch", QUERIES))
                .withMessageContaining("2/2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2", "0/4", "5/4", "1/0", "a/b", "-1/2", "1/9999"})
    void whatIsNoPartIsRefused(String part) {
        assertThatExceptionOfType(BoltException.class).isThrownBy(() -> QueryChoice.of(List.of(), part));
    }
}
