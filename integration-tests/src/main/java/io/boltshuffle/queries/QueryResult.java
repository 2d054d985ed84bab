package io.boltshuffle.queries;

/**
 * The result of a query, as a line of text.
 *
 * @param answer number and digest of its rows, or its error; without line feeds and tabs
 */
public record QueryResult(String query, String answer) {

    private static final String SEPARATOR = "\t";

    String line() {
        return query + SEPARATOR + answer;
    }

    /** Reads a line that {@link #line} wrote. */
    public static QueryResult parse(String line) {
        int separator = line.indexOf(SEPARATOR);
        if (separator < 0) {
            throw new IllegalArgumentException("no result of a query: " + line);
        }
        return new QueryResult(line.substring(0, separator), line.substring(separator + SEPARATOR.length()));
    }

    /** Returns whether the query failed. */
    public boolean failed() {
        return answer.startsWith("failed");
    }
}
