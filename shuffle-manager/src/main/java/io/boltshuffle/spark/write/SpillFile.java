package io.boltshuffle.spark.write;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one file of a writer that ran short of memory. Each spill appends the encoded bytes, partition by partition.
 *
 * <p><b>Ownership:</b> owns the file; closing deletes it.
 */
final class SpillFile implements Closeable {
    private static final Logger log = LoggerFactory.getLogger(SpillFile.class);

    private final File file;
    private final FileAppender appender;
    private final PieceList segments;
    private int spills;

    SpillFile(File file, int partitions, int bufferBytes) throws IOException {
        this.file = file;
        this.segments = new PieceList(partitions);
        this.appender = new FileAppender(FileAppender.open(file), bufferBytes, false);
    }

    void append(byte[] bytes, int offset, int length) throws IOException {
        appender.append(bytes, offset, length);
    }

    /** Assigns to this partition what was appended since {@code start}. */
    void endPartition(int partition, long start) {
        long length = appender.position() - start;
        if (length > 0) {
            segments.add(partition, start, length);
        }
    }

    void endSpill() throws IOException {
        appender.flush();
        spills++;
    }

    long position() {
        return appender.position();
    }

    /** Appends a partition's bytes of all spills to the output. */
    void copyTo(FileAppender output, int partition, boolean transfer) throws IOException {
        for (int piece = segments.first(partition); piece != PieceList.NONE; piece = segments.next(piece)) {
            output.append(appender.channel(), segments.offset(piece), segments.length(piece), transfer);
        }
    }

    int spills() {
        return spills;
    }

    @Override
    public void close() {
        WriteFiles.discard(file);
        try {
            appender.close();
        } catch (IOException e) {
            log.warn("{} could not be closed", file, e);
        }
    }
}
