package io.boltshuffle.proof.queries;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.queries.QueryResult;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueryReportTest {
    @Test
    void anAnswerThatDiffersOrIsMissingIsFound() {
        QueryAnswers stock = answers(Map.of("q1", "2 rows ab", "q2", "1 rows cd", "q3", "3 rows ef"));
        QueryAnswers ours = answers(Map.of("q1", "2 rows ab", "q2", "1 rows ff"));
        assertThat(stock.differingIn(ours)).containsExactly("q2", "q3");
    }

    @Test
    void whatFailsWithStockIsNotComparedAndWhatFailsWithOursIs() {
        QueryAnswers failing = answers(Map.of("q1", "failed: analysis"));
        QueryAnswers passing = answers(Map.of("q1", "2 rows ab"));
        assertThat(failing.differingIn(passing)).isEmpty();
        assertThat(failing.failed()).containsExactly("q1, failed: analysis");
        assertThat(passing.differingIn(failing)).containsExactly("q1");
    }

    @Test
    void equalAnswersByRdmaAreNoFault() {
        QueryReport report = report(44, 2, List.of(), 1_000_000, 0);
        assertThat(report.faults()).isEmpty();
        assertThat(report.toText())
                .contains("tpch", "44", "42", "1.0")
                .contains("not compared, because it fails with stock Spark: tpch q1, failed: analysis");
        assertThat(report.comparisons().get(0).summary())
                .isEqualTo("tpch: 42 of 44 answers equal, 1.0 MB by RDMA, 0.0 MB by TCP");
    }

    @Test
    void aDifferenceBytesByTcpOrNothingToCompareAreFaults() {
        assertThat(report(44, 0, List.of("q3"), 1_000_000, 0).faults())
                .singleElement()
                .asString()
                .contains("tpch q3");
        assertThat(report(44, 0, List.of(), 900_000, 100_000).faults())
                .singleElement()
                .asString()
                .contains("100000 by TCP");
        assertThat(report(44, 44, List.of(), 1_000_000, 0).faults())
                .singleElement()
                .asString()
                .contains("nothing was compared");
    }

    private static QueryAnswers answers(Map<String, String> texts) {
        return new QueryAnswers(texts.entrySet().stream()
                .map(text -> new QueryResult(text.getKey(), text.getValue()))
                .collect(Collectors.toMap(QueryResult::query, result -> result, (one, other) -> one, TreeMap::new)));
    }

    private static QueryReport report(int queries, int failed, List<String> differing, long rdma, long netty) {
        return new QueryReport(
                "4.2.0",
                "0.01",
                List.of(new QueryComparison(
                        "tpch",
                        queries,
                        IntStream.rangeClosed(1, failed)
                                .mapToObj(query -> "q" + query + ", failed: analysis")
                                .toList(),
                        differing,
                        List.of(),
                        OptionalLong.of(rdma),
                        OptionalLong.of(netty))));
    }
}
