package io.boltshuffle.proof.queries;

import io.boltshuffle.queries.QueryResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The results of one run of all queries.
 *
 * @param byQuery rows and digest, or the error, by the query's name
 */
record QueryAnswers(Map<String, QueryResult> byQuery) {

    static QueryAnswers read(Path results) {
        Map<String, QueryResult> answers = new TreeMap<>();
        try {
            Files.readAllLines(results).stream()
                    .map(QueryResult::parse)
                    .forEach(result -> answers.put(result.query(), result));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new QueryAnswers(answers);
    }

    /** Returns the queries that succeeded here and gave another result, or none, there. */
    List<String> differingIn(QueryAnswers other) {
        return byQuery.values().stream()
                .filter(result -> !result.failed())
                .filter(result -> !result.equals(other.byQuery.get(result.query())))
                .map(QueryResult::query)
                .toList();
    }

    /** Returns the failed queries, each with its error. */
    List<String> failed() {
        return byQuery.values().stream()
                .filter(QueryResult::failed)
                .map(result -> result.query() + ", " + result.answer())
                .toList();
    }
}
