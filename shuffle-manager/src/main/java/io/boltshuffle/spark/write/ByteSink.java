package io.boltshuffle.spark.write;

import java.io.IOException;

/** Takes the encoded bytes of a partition in order. The caller may change the array afterwards. */
@FunctionalInterface
interface ByteSink {
    void append(int partition, byte[] bytes, int offset, int length) throws IOException;
}
