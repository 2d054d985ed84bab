package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Many holders at once: each signs every frame of its lease and must find only its own signature there. */
class LeasePoolStressTest {

    private static final int FRAME = Lease.FRAME_BYTES;
    private static final int FRAMES = 256;
    private static final int PIECE_FRAMES = 64;
    private static final int HOLDERS = 6;
    private static final int LEASES_EACH = 3_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Queue<Future<?>> deviceWork = new ConcurrentLinkedQueue<>();

    @Test
    void nobodyFindsTheSignatureOfAnother() throws Exception {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        ExecutorService holders = Executors.newFixedThreadPool(HOLDERS);
        ExecutorService device = Executors.newSingleThreadExecutor();
        try (Slab slab = TestSlabs.create(FRAMES * FRAME);
                LeasePool pool = new LeasePool(
                        slab,
                        PIECE_FRAMES * FRAME,
                        new PoolLimits(FRAMES / 2 * FRAME, HOLDERS, 1_000),
                        PoolClock.of(timer),
                        Runnable::run)) {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < HOLDERS; i++) {
                running.add(holders.submit(new Holder(pool, device, i, new Random(i))));
            }
            for (Future<Void> holder : running) {
                holder.get(120, TimeUnit.SECONDS);
            }
            for (Future<?> work : deviceWork) {
                work.get(60, TimeUnit.SECONDS);
            }
            pool.ledger().assertEmpty();
            assertThat(pool.snapshot().granted()).isEqualTo(HOLDERS * LEASES_EACH);
            assertThat(pool.snapshot().largestFreeBytes()).isEqualTo(slab.bytes());
        } finally {
            for (ExecutorService executor : List.of(holders, device, timer)) {
                executor.shutdownNow();
            }
        }
    }

    /** Takes leases, two at a time if it can, and gives them back in one of the three ways there are. */
    private final class Holder implements Callable<Void> {
        private final LeasePool pool;
        private final ExecutorService device;
        private final LeaseOwner owner;
        private final int number;
        private final Random random;

        Holder(LeasePool pool, ExecutorService device, int number, Random random) {
            this.pool = pool;
            this.device = device;
            this.owner = new LeaseOwner("holder-" + number);
            this.number = number;
            this.random = random;
        }

        @Override
        public Void call() throws Exception {
            for (int i = 0; i < LEASES_EACH; i++) {
                int frames = 1 + random.nextInt(random.nextInt(20) == 0 ? FRAMES : PIECE_FRAMES / 2);
                Lease lease = pool.acquireAsync(owner, (long) frames * FRAME, System.nanoTime() + PATIENCE_NANOS)
                        .get();
                int signature = number << 24 | i;
                sign(lease, signature);
                check(lease, signature);
                giveBack(lease, signature);
            }
            return null;
        }

        /** Gives a lease back. While work is posted, the device signs the memory until the very end. */
        private void giveBack(Lease lease, int signature) {
            switch (random.nextInt(3)) {
                case 0 -> lease.release();
                case 1 -> {
                    lease.posted(1);
                    ByteBuffer memory = wholeOf(lease);
                    deviceWork.add(device.submit(() -> {
                        check(memory, signature);
                        lease.completed(1);
                    }));
                    lease.release();
                }
                default -> {
                    lease.posted(1);
                    lease.quarantine("a queue pair in doubt");
                    ByteBuffer memory = pool.slab().view(lease.offset(), lease.frames() * FRAME);
                    deviceWork.add(device.submit(() -> {
                        check(memory, signature);
                        lease.releaseAfterQueuePairDestroyed(1);
                    }));
                    lease.release();
                }
            }
        }

        private ByteBuffer wholeOf(Lease lease) {
            return lease.view(0, lease.frames() * FRAME);
        }

        private void sign(Lease lease, int signature) {
            ByteBuffer memory = wholeOf(lease);
            for (int at = 0; at < memory.limit(); at += FRAME) {
                memory.putInt(at, signature).putInt(at + FRAME - Integer.BYTES, signature);
            }
        }

        private void check(Lease lease, int signature) {
            check(wholeOf(lease), signature);
        }

        private void check(ByteBuffer memory, int signature) {
            for (int at = 0; at < memory.limit(); at += FRAME) {
                if (memory.getInt(at) != signature || memory.getInt(at + FRAME - Integer.BYTES) != signature) {
                    throw new AssertionError("frame " + at / FRAME + " was signed by another");
                }
            }
        }
    }
}
