package io.boltshuffle.spark.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;

/**
 * Converts reports to and from JSON. They travel as text because the driver's class loaders differ between Spark
 * versions.
 */
public final class ReportJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ReportJson() {}

    public static String write(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report that is not JSON", e);
        }
    }

    /**
     * Reads a report.
     *
     * @throws JsonProcessingException if the text is not a {@code type}
     */
    public static <T> T read(String text, Class<T> type) throws JsonProcessingException {
        T value = JSON.readValue(text, type);
        if (value == null) { // JSON's null is any type to Jackson
            throw MismatchedInputException.from(null, type, "null in place of a " + type.getSimpleName());
        }
        return value;
    }
}
