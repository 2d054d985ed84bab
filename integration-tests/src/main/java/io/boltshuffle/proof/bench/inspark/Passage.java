package io.boltshuffle.proof.bench.inspark;

import java.nio.ByteBuffer;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Carries the result of a task to the driver by Java's serialization, because Kryo, which writes the blocks, cannot
 * serialize records.
 */
final class Passage {
    private static final ClassTag<Object> ANY = ClassTag$.MODULE$.Object();

    private Passage() {}

    static byte[] toBytes(Object value) {
        ByteBuffer serialized = serializer().serialize(value, ANY);
        byte[] bytes = new byte[serialized.remaining()];
        serialized.get(bytes);
        return bytes;
    }

    static <T> T fromBytes(byte[] bytes, Class<T> type) {
        return type.cast(serializer().deserialize(ByteBuffer.wrap(bytes), Passage.class.getClassLoader(), ANY));
    }

    private static SerializerInstance serializer() {
        return SparkEnv.get().closureSerializer().newInstance();
    }
}
