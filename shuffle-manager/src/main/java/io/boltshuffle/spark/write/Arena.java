package io.boltshuffle.spark.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds the encoded bytes of all partitions in the order in which they came. Only the last chunk is not full, however
 * many partitions there are.
 */
final class Arena {
    private final List<byte[]> chunks = new ArrayList<>();
    private final PieceList pieces;
    private int used; // of the last chunk
    private long bytes;
    private long capacity;

    Arena(int partitions) {
        pieces = new PieceList(partitions);
    }

    /** Takes as many bytes as fit without another chunk, and returns how many those are. */
    int append(int partition, byte[] source, int offset, int length) {
        if (chunks.isEmpty()) {
            return 0;
        }
        int index = chunks.size() - 1;
        byte[] chunk = chunks.get(index);
        int fitting = Math.min(length, chunk.length - used);
        if (fitting > 0) {
            System.arraycopy(source, offset, chunk, used, fitting);
            pieces.add(partition, ((long) index << Integer.SIZE) | used, fitting);
            used += fitting;
            bytes += fitting;
        }
        return fitting;
    }

    void addChunk(byte[] chunk) {
        chunks.add(chunk);
        capacity += chunk.length;
        used = 0;
    }

    /** Passes a partition's bytes to the sink. */
    void copyTo(int partition, ByteSink sink) throws IOException {
        for (int piece = pieces.first(partition); piece != PieceList.NONE; piece = pieces.next(piece)) {
            long at = pieces.offset(piece);
            sink.append(partition, chunks.get((int) (at >>> Integer.SIZE)), (int) at, (int) pieces.length(piece));
        }
    }

    /** Drops the bytes and all chunks; returns the size of the chunks. */
    long clear() {
        long before = capacity;
        pieces.clear();
        chunks.clear();
        bytes = 0;
        used = 0;
        capacity = 0;
        return before;
    }

    /** Returns the size of its chunks in bytes. */
    long capacity() {
        return capacity;
    }

    /** Returns how many bytes it holds. */
    long bytes() {
        return bytes;
    }
}
