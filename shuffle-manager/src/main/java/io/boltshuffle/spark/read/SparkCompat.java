package io.boltshuffle.spark.read;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import org.apache.spark.Aggregator;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.util.collection.ExternalSorter;
import scala.Option;
import scala.math.Ordering;

/**
 * Knows how the classes of Spark that a reader needs differ between the supported versions. The other code is compiled
 * against the newest version and links against all.
 */
final class SparkCompat {
    private static final MethodHandle NEW_EXTERNAL_SORTER =
            withoutTrailingArray(ExternalSorter.class.getConstructors()[0], 5);

    private SparkCompat() {}

    /** Creates a sorter for the reduce side. Spark 4.1 added row checksums, which only writers need. */
    @SuppressWarnings("unchecked") // the handle is a constructor of ExternalSorter
    static <K, V, C> ExternalSorter<K, V, C> externalSorter(
            TaskContext context, Option<Aggregator<K, V, C>> aggregator, Ordering<K> ordering, Serializer serializer) {
        try {
            return (ExternalSorter<K, V, C>)
                    NEW_EXTERNAL_SORTER.invoke(context, aggregator, Option.empty(), Option.apply(ordering), serializer);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("ExternalSorter's constructor declares no checked exception", e);
        }
    }

    /**
     * Returns a handle to a constructor that takes {@code count} arguments; if an array follows those, it is passed
     * empty.
     */
    static MethodHandle withoutTrailingArray(Constructor<?> constructor, int count) {
        Class<?>[] types = constructor.getParameterTypes();
        try {
            MethodHandle handle = MethodHandles.lookup().unreflectConstructor(constructor);
            if (types.length == count) {
                return handle;
            }
            if (types.length == count + 1 && types[count].isArray()) {
                return MethodHandles.insertArguments(
                        handle, count, Array.newInstance(types[count].getComponentType(), 0));
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        throw new IllegalStateException("boltshuffle was not made for this Spark: " + constructor);
    }
}
