package io.boltshuffle.rdma.verbs;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Shows what the end-to-end checksum of one message costs: the JDK's CRC32C over native memory, as the link computes
 * it, and what else the JDK has; ADLER32 is what Spark's writer stores with a map output. A walk over 64 MiB has
 * messages come from memory, as where they arrive; one over 1 MiB from the cache, as where they have just been read
 * from a file.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ChecksumBenchmark {

    private static final int LONGEST_WALK = 64 << 20;

    @Param({"67108864", "1048576"})
    public int walkedBytes;

    @Param({"4096", "65536", "262144", "1048576"})
    public int messageBytes;

    private final CRC32C crc32c = new CRC32C();
    private final CRC32 crc32 = new CRC32();
    private final Adler32 adler32 = new Adler32();
    private final ByteBuffer direct = ByteBuffer.allocateDirect(LONGEST_WALK);
    private final byte[] heap = new byte[LONGEST_WALK];
    private int position;

    @Setup
    public void fill() {
        new Random(1).nextBytes(heap);
        direct.put(0, heap);
    }

    private int nextMessage() {
        position = position + 2 * messageBytes <= walkedBytes ? position + messageBytes : 0;
        return position;
    }

    private long overDirect(Checksum checksum) {
        int start = nextMessage();
        checksum.reset();
        checksum.update(direct.limit(start + messageBytes).position(start));
        return checksum.getValue();
    }

    @Benchmark
    public long crc32cDirect() {
        return overDirect(crc32c);
    }

    @Benchmark
    public long crc32Direct() {
        return overDirect(crc32);
    }

    @Benchmark
    public long adler32Direct() {
        return overDirect(adler32);
    }

    @Benchmark
    public long crc32cHeap() {
        crc32c.reset();
        crc32c.update(heap, nextMessage(), messageBytes);
        return crc32c.getValue();
    }
}
