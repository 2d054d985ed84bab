package io.boltshuffle.spark.differential;

import io.boltshuffle.spark.differential.Site.Checksums;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.MapStatus$;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import scala.Option;

/** A map output as it was committed, with what a reader and Spark's driver are told of it. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record MapOutput(long[] lengths, MapStatus status, long records, long bytes) {

    /** Says in what its files, its lengths and its status disagree. */
    List<String> complaints(IndexShuffleBlockResolver resolver, int shuffleId, Checksums algorithm) throws IOException {
        List<String> complaints = new ArrayList<>();
        long mapId = status.mapId();
        byte[] data = contentOrNothing(resolver.getDataFile(shuffleId, mapId));
        if (Arrays.stream(lengths).sum() != data.length) {
            complaints.add("lengths of %d bytes for a file of %d"
                    .formatted(Arrays.stream(lengths).sum(), data.length));
            return complaints;
        }
        if (bytes != data.length) {
            complaints.add("%d bytes were counted for a file of %d".formatted(bytes, data.length));
        }
        long[] offsets = longs(contentOrNothing(resolver.getIndexFile(shuffleId, mapId, Option.empty())));
        long[] expected = new long[lengths.length + 1];
        for (int partition = 0; partition < lengths.length; partition++) {
            expected[partition + 1] = expected[partition] + lengths[partition];
        }
        if (!Arrays.equals(offsets, expected)) {
            complaints.add("the index file has other lengths than the writer told");
        }
        MapStatus right = MapStatus$.MODULE$.apply(status.location(), lengths, mapId, status.checksumValue());
        for (int partition = 0; partition < lengths.length; partition++) {
            if (status.getSizeForBlock(partition) != right.getSizeForBlock(partition)) {
                complaints.add("the status has another size of partition " + partition);
                break;
            }
        }
        File file = resolver.getChecksumFile(shuffleId, mapId, algorithm.name(), Option.empty());
        boolean isWanted = algorithm != Checksums.NONE && data.length > 0;
        if (isWanted && !Arrays.equals(longs(contentOrNothing(file)), checksums(data, expected, algorithm))) {
            complaints.add("the checksum file is not that of the data");
        }
        return complaints;
    }

    private static long[] checksums(byte[] data, long[] offsets, Checksums algorithm) {
        long[] values = new long[offsets.length - 1];
        for (int partition = 0; partition < values.length; partition++) {
            Checksum checksum = switch (algorithm) {
                case ADLER32 -> new Adler32();
                case CRC32 -> new CRC32();
                case CRC32C -> new CRC32C();
                case NONE -> throw new IllegalArgumentException("no checksum was asked for");
            };
            int start = Math.toIntExact(offsets[partition]);
            checksum.update(data, start, Math.toIntExact(offsets[partition + 1]) - start);
            values[partition] = checksum.getValue();
        }
        return values;
    }

    private static byte[] contentOrNothing(File file) throws IOException {
        return file.exists() ? Files.readAllBytes(file.toPath()) : new byte[0];
    }

    private static long[] longs(byte[] bytes) {
        long[] values = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).asLongBuffer().get(values);
        return values;
    }
}
