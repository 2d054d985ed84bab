package io.boltshuffle.spark.rows;

import java.lang.reflect.Field;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.util.AccumulatorV2;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The values that Spark's serializer of SQL rows was made with.
 *
 * @param fields how many columns a row has
 * @param dataSize SQL's metric "data size", which counts the bytes of the rows that are written; null if there is
 *     none
 */
public record RowFormat(int fields, @Nullable AccumulatorV2<Object, Object> dataSize) {
    private static final Logger log = LoggerFactory.getLogger(RowFormat.class);

    private static final AtomicBoolean told = new AtomicBoolean();

    private static final String SERIALIZER = "org.apache.spark.sql.execution.UnsafeRowSerializer";

    /**
     * The format of what {@code serializer} writes, if that is Spark's serializer of rows and this version of it is
     * known.
     */
    public static Optional<RowFormat> of(Serializer serializer) {
        return isOfRows(serializer) ? ofRows(serializer) : Optional.empty();
    }

    /** Returns whether this is Spark's serializer of rows, known or not. */
    public static boolean isOfRows(Serializer serializer) {
        return serializer.getClass().getName().equals(SERIALIZER);
    }

    @SuppressWarnings("unchecked") // a SQLMetric adds and gives longs
    private static Optional<RowFormat> ofRows(Serializer serializer) {
        try {
            int fields = (int) value(serializer, "numFields");
            Object dataSize = value(serializer, "dataSize");
            return Optional.of(new RowFormat(fields, (AccumulatorV2<Object, Object>) dataSize));
        } catch (ReflectiveOperationException | RuntimeException e) {
            if (told.compareAndSet(false, true)) {
                log.warn("Rows of Spark SQL go through Spark's serializer, which is not as expected: {}", e.toString());
            }
            return Optional.empty();
        }
    }

    private static Object value(Serializer serializer, String name) throws ReflectiveOperationException {
        Field field = serializer.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(serializer);
    }
}
