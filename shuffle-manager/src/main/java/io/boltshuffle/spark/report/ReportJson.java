package io.boltshuffle.spark.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts reports to and from JSON. They travel as text because the driver's class loaders differ between Spark
 * versions.
 *
 * <p>To write needs no databind. An executor writes its first report while its first tasks run, and what databind loads
 * for it took a tenth of a second of them.
 */
public final class ReportJson {
    private static final JsonFactory TEXTS = new JsonFactory();

    private ReportJson() {}

    /** Holds what only processes that read reports need to load. */
    private static final class Reader {
        static final ObjectMapper JSON = new ObjectMapper();
    }

    /** Returns a record as an object, with the names of its components. */
    public static String write(Record value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = TEXTS.createGenerator(text)) {
            write(json, value);
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException("a report that is not JSON", e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, @Nullable Object value)
            throws IOException, ReflectiveOperationException {
        if (value instanceof Record) {
            json.writeStartObject();
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                Method accessor = component.getAccessor();
                accessor.setAccessible(true); // the record itself need not be public
                json.writeFieldName(component.getName());
                write(json, accessor.invoke(value));
            }
            json.writeEndObject();
        } else if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName((String) entry.getKey());
                write(json, entry.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object element : list) {
                write(json, element);
            }
            json.writeEndArray();
        } else {
            json.writeObject(value); // a text, a number, true, false or null; of anything else it says so
        }
    }

    /** @throws JsonProcessingException if the text is not a {@code type} */
    public static <T> T read(String text, Class<T> type) throws JsonProcessingException {
        T value = Reader.JSON.readValue(text, type);
        if (value == null) { // JSON's null is any type to Jackson
            throw MismatchedInputException.from(null, type, "null in place of a " + type.getSimpleName());
        }
        return value;
    }
}
