package io.boltshuffle.rdma.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Shows what a lease costs in a pool that is half full of leases of all sizes: {@code -Dbench=LeasePoolBenchmark}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LeasePoolBenchmark {

    private static final long MIB = 1 << 20;
    private static final long SLAB_BYTES = 256 * MIB;
    private static final LeaseOwner OWNER = new LeaseOwner("bench");

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Slab slab = TestSlabs.create(SLAB_BYTES);
    private final LeasePool pool =
            new LeasePool(slab, 64 * MIB, new PoolLimits(SLAB_BYTES, 100, 1_000), PoolClock.of(timer), Runnable::run);
    private final List<Lease> background = new ArrayList<>();
    private final Lease standing = pool.tryAcquire(OWNER, MIB).orElseThrow();

    /** Fills the pool, then gives every other lease back. */
    @Setup(Level.Trial)
    public void occupy() {
        Random random = new Random(1);
        while (pool.tryAcquire(OWNER, 1 + random.nextInt((int) (2 * MIB)))
                .map(background::add)
                .orElse(false)) {}
        for (int i = background.size() - 1; i >= 0; i -= 2) {
            background.remove(i).release();
        }
    }

    @TearDown(Level.Trial)
    public void close() throws SlabException {
        background.forEach(Lease::release);
        standing.release();
        pool.close();
        slab.close();
        timer.shutdownNow();
    }

    @Benchmark
    public void acquireAndRelease() {
        pool.tryAcquire(OWNER, MIB).orElseThrow().release();
    }

    @Benchmark
    @Threads(2)
    public void acquireAndReleaseByTwoThreads() {
        pool.tryAcquire(OWNER, MIB).orElseThrow().release();
    }

    @Benchmark
    public void acquireAsyncAndRelease() {
        pool.acquireAsync(OWNER, MIB, Long.MAX_VALUE).join().release();
    }

    /** Measures the cost that each work request adds. */
    @Benchmark
    public void postedAndCompleted() {
        standing.posted(1);
        standing.completed(1);
    }
}
