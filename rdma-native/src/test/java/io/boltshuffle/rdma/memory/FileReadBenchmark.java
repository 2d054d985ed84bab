package io.boltshuffle.rdma.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Shows what the kernel takes to copy 256 KiB from the page cache, by how far above its source the destination lies,
 * both within their pages. Walks 256 MiB of file and 64 MiB of memory, so that both come from memory and not from the
 * cache.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class FileReadBenchmark {

    private static final int PAGE_BYTES = 4096;
    private static final int PIECE_BYTES = 256 << 10;
    private static final int FILE_BYTES = 256 << 20;
    private static final int MEMORY_BYTES = 64 << 20;

    @Param({"0", "1", "8", "16", "31", "32", "64", "2048", "4095"})
    public int bytesAbove;

    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(MEMORY_BYTES + 3 * PAGE_BYTES).alignedSlice(PAGE_BYTES);
    private final Path path;
    private final FileChannel file;
    private int offset;
    private int place;

    public FileReadBenchmark() {
        byte[] content = new byte[FILE_BYTES];
        new Random(1).nextBytes(content);
        try {
            path = Files.write(Files.createTempFile("file-read", ""), content);
            file = FileChannel.open(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @TearDown
    public void delete() throws IOException {
        file.close();
        Files.delete(path);
    }

    @Benchmark
    public int read() throws IOException {
        offset = (offset + PIECE_BYTES) % FILE_BYTES;
        place = (place + PIECE_BYTES) % MEMORY_BYTES;
        int start = place + bytesAbove;
        return file.read(memory.limit(start + PIECE_BYTES).position(start), offset);
    }
}
