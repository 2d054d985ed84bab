package io.boltshuffle.spark.write;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Neither compresses nor encrypts. */
final class PlainEncoder implements PartitionEncoder {
    private final int gatherBytes;

    PlainEncoder(int gatherBytes) {
        this.gatherBytes = gatherBytes;
    }

    @Override
    public int gatherBytes() {
        return gatherBytes;
    }

    @Override
    public void encode(int partition, byte[] raw, int length, ByteSink sink) throws IOException {
        sink.append(partition, raw, 0, length);
    }

    @Override
    public void finish(int partition, byte @Nullable [] raw, int length, ByteSink sink) throws IOException {
        if (raw != null && length > 0) {
            sink.append(partition, raw, 0, length);
        }
    }

    @Override
    public void discard() {}
}
