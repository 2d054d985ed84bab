package io.boltshuffle.rdma.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How full a slab can get before a request finds no place, for three ways to choose the place. JMH prints the table:
 *
 * <pre>mvn -pl rdma-native -Pbench -DskipTests verify -Dbench=FragmentationBenchmark</pre>
 *
 * <p>The slab is kept under pressure: a request that finds no place frees random leases, one by one, until it does.
 * {@code usedPercent} is how much of the slab holds wanted frames at a refusal, on average: what a user gets of the
 * memory that was paid for.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1) // JMH adds up counters over iterations, and these are always the same.
@Fork(1)
@State(Scope.Benchmark)
public class FragmentationBenchmark {

    private static final int SLAB_FRAMES = 1 << 20;
    private static final int REQUESTS = 50_000;
    private static final int FRAMES_OF_A_MIB = 256;

    /** Ways to choose a place. */
    public enum Policy {
        BEST_FIT,
        FIRST_FIT,
        BUDDY;

        FramePlacement newPlacement(int pieceFrames) {
            return switch (this) {
                case BEST_FIT -> FramePlacement.bestFit(SLAB_FRAMES, pieceFrames);
                case FIRST_FIT -> new FirstFitPlacement(SLAB_FRAMES, pieceFrames);
                case BUDDY -> new BuddyPlacement(SLAB_FRAMES);
            };
        }
    }

    /** The sizes that are asked for. */
    public enum Sizes {
        /** Small blocks: 4 KiB to 1 MiB, each magnitude as likely. */
        SMALL,
        /**
         * The sizes of Spark's requests, each a fifth of {@code maxSizeInFlight}: up to 9.6 MiB, and one in fifty up to
         * 128 MiB.
         */
        FETCHES,
        /** 4 KiB to 256 MiB, each magnitude as likely. */
        ALL;

        int nextFrames(Random random) {
            return switch (this) {
                case SMALL -> logUniform(random, FRAMES_OF_A_MIB);
                case FETCHES ->
                    1 + random.nextInt(random.nextInt(50) == 0 ? 128 * FRAMES_OF_A_MIB : 48 * FRAMES_OF_A_MIB / 5);
                case ALL -> logUniform(random, 256 * FRAMES_OF_A_MIB);
            };
        }

        private static int logUniform(Random random, int max) {
            return (int) Math.ceil(Math.exp(random.nextDouble() * Math.log(max)));
        }
    }

    @Param
    public Policy policy = Policy.BEST_FIT;

    @Param
    public Sizes sizes = Sizes.FETCHES;

    @Param({"8", "1024"})
    public int pieceMib = 8;

    /** Columns of the table. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Refusals {
        private long refusals;
        private double usedFrames;

        public double usedPercent() {
            return 100 * usedFrames / refusals / SLAB_FRAMES;
        }
    }

    private record Range(int first, int frames) {}

    @Benchmark
    public void underPressure(Refusals seen) {
        FramePlacement placement = policy.newPlacement(pieceMib * FRAMES_OF_A_MIB);
        Random random = new Random(1);
        List<Range> held = new ArrayList<>();
        long used = 0;
        for (int i = 0; i < REQUESTS; i++) {
            int frames = sizes.nextFrames(random);
            int first = placement.allocate(frames);
            while (first == FrameAllocator.NONE) {
                seen.refusals++;
                seen.usedFrames += used;
                Range ended = removeAny(held, random);
                placement.free(ended.first(), ended.frames());
                used -= ended.frames();
                first = placement.allocate(frames);
            }
            held.add(new Range(first, frames));
            used += frames;
        }
    }

    private static Range removeAny(List<Range> held, Random random) {
        int index = random.nextInt(held.size());
        Range last = held.remove(held.size() - 1);
        return index == held.size() ? last : held.set(index, last);
    }
}
