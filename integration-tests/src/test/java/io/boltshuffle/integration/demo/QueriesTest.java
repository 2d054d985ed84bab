package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two of Spark's own queries give the same with either shuffle; all of them: {@code bolt queries}. */
@Tag("versions")
class QueriesTest {
    @Test
    void queriesGiveWhatTheyGiveWithStockSpark(@TempDir Path directory) throws Exception {
        VerbRun queries = VerbRun.of(directory, List.of("queries", "--benchmark", "tpch", "--query", "q3,q18"));

        assertThat(queries.exitCode()).as(queries.err()).isZero();
        JsonNode comparison = queries.json().at("/comparisons/0");
        assertThat(comparison.get("queries").asInt()).isEqualTo(4);
        assertThat(comparison.get("stockFailed")).isEmpty();
        assertThat(comparison.get("rdmaBytes").asLong()).isPositive();
    }
}
