package io.boltshuffle.integration.othermanager;

import java.io.IOException;
import java.util.List;
import org.apache.spark.shuffle.ShuffleBlockResolver;

/** Keeps map outputs and gives them out. */
interface OutputFiles {

    /** Keeps an output. */
    void commit(int shuffleId, long mapId, List<byte[]> partitions) throws IOException;

    /** Returns what finds its blocks again. */
    ShuffleBlockResolver resolver();
}
