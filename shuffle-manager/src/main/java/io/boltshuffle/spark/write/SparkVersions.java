package io.boltshuffle.spark.write;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.MapStatus$;
import org.apache.spark.shuffle.checksum.RowBasedChecksum;
import org.apache.spark.storage.BlockManagerId;
import org.jspecify.annotations.Nullable;

/** Knows how the supported versions of Spark differ in what a writer needs. */
final class SparkVersions {
    private static final MethodHandle NEW_MAP_STATUS =
            newMapStatus(MapStatus$.class, MapStatus.class, BlockManagerId.class);
    static final boolean HAS_ROW_CHECKSUMS = Arrays.stream(ShuffleDependency.class.getMethods())
            .map(Method::getName)
            .anyMatch("rowBasedChecksums"::equals);

    private SparkVersions() {}

    /** @param checksum of the rows; Spark 3.5 and 4.0 have no place for it */
    static MapStatus mapStatus(BlockManagerId server, long[] lengths, long mapId, long checksum) {
        try {
            return (MapStatus) NEW_MAP_STATUS.invoke(MapStatus$.MODULE$, server, lengths, mapId, checksum);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("MapStatus.apply declares no checked exception", e);
        }
    }

    /** Returns what computes the row checksums of a shuffle, or null if the shuffle does not ask for them. */
    static @Nullable RowChecksums rowChecksums(ShuffleDependency<?, ?, ?> dependency) {
        return HAS_ROW_CHECKSUMS ? Newer.rowChecksums(dependency) : null;
    }

    /** Only Spark 4.1 and later load this class. */
    private static final class Newer {
        static @Nullable RowChecksums rowChecksums(ShuffleDependency<?, ?, ?> dependency) {
            RowBasedChecksum[] checksums = dependency.rowBasedChecksums();
            return checksums == null || checksums.length == 0 ? null : new RowChecksums(checksums);
        }
    }

    /**
     * Returns a handle to {@code apply(server, long[], long, long)}, or to the older method without the last argument,
     * which the handle then drops.
     */
    static MethodHandle newMapStatus(Class<?> companion, Class<?> status, Class<?> server) {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        MethodType newer = MethodType.methodType(status, server, long[].class, long.class, long.class);
        MethodType older = newer.dropParameterTypes(3, 4);
        try {
            return lookup.findVirtual(companion, "apply", newer);
        } catch (NoSuchMethodException | IllegalAccessException absent) {
            try {
                return MethodHandles.dropArguments(lookup.findVirtual(companion, "apply", older), 4, long.class);
            } catch (NoSuchMethodException | IllegalAccessException e) {
                throw new IllegalStateException("boltshuffle was not made for this Spark: no " + status + older, e);
            }
        }
    }
}
