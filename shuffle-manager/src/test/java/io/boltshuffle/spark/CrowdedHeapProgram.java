package io.boltshuffle.spark;

import io.boltshuffle.spark.NeverWorseTest.Shuffle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Shuffles in a heap three fifths of which a user's objects fill, such as a model that all tasks use. Its arguments are
 * a {@link Shuffle} and a directory.
 */
final class CrowdedHeapProgram {
    private static final int OBJECT_BYTES = 64 << 10;

    private CrowdedHeapProgram() {}

    public static void main(String[] arguments) throws Exception {
        long objects = Runtime.getRuntime().maxMemory() / OBJECT_BYTES * 3 / 5;
        List<byte[]> kept = new ArrayList<>();
        for (long index = 0; index < objects; index++) {
            kept.add(new byte[OBJECT_BYTES]);
        }
        WriterCosts.writeMuch(Shuffle.valueOf(arguments[0]), Path.of(arguments[1]));
        System.out.println("done beside " + kept.size() + " objects");
    }
}
