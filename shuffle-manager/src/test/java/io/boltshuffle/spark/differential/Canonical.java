package io.boltshuffle.spark.differential;

import io.boltshuffle.spark.differential.ObjectInput.Node;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Writes down all of a record as bytes that are equal only for equal records, with the places at which an array or a
 * node occurs for another time in it.
 */
final class Canonical {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private final IdentityHashMap<Object, Integer> seen = new IdentityHashMap<>();

    private Canonical() {}

    static byte[] of(@Nullable Object... parts) {
        Canonical canonical = new Canonical();
        try {
            for (Object part : parts) {
                canonical.add(part);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return canonical.bytes.toByteArray();
    }

    private void add(@Nullable Object value) throws IOException {
        if (value == null) {
            out.writeByte('0');
            return;
        }
        if (value instanceof byte[] || value instanceof long[] || value instanceof Node) {
            Integer earlier = seen.putIfAbsent(value, seen.size());
            if (earlier != null) {
                out.writeByte('=');
                out.writeInt(earlier);
                return;
            }
        }
        out.writeUTF(value.getClass().getName());
        if (value instanceof UnsafeRow row) {
            addBytes(SqlInput.bytes(row));
        } else if (value instanceof byte[] array) {
            addBytes(array);
        } else if (value instanceof long[] array) {
            out.writeInt(array.length);
            for (long element : array) {
                out.writeLong(element);
            }
        } else if (value instanceof Object[] array) {
            addAll(List.of(array));
        } else if (value instanceof Node node) {
            out.writeUTF(node.name);
            add(node.left);
            add(node.right);
            addAll(node.more);
        } else {
            addBytes(value.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private void addAll(List<Object> values) throws IOException {
        out.writeInt(values.size());
        for (Object value : values) {
            add(value);
        }
    }

    private void addBytes(byte[] array) throws IOException {
        out.writeInt(array.length);
        out.write(array);
    }
}
