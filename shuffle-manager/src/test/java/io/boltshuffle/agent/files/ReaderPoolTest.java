package io.boltshuffle.agent.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.wire.FailureReason;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Time passes by looks. A read that hangs waits for a latch. */
@Tag("slow")
class ReaderPoolTest {

    private static final int SIZE = 2;
    private static final String HANGS = "app-hangs";
    private static final String OTHER = "app-other";

    private final Instant now = Instant.parse("2026-11-27T14:05:04Z");
    private final Queue<Throwable> defects = new ConcurrentLinkedQueue<>();
    private final ReaderPool pool = new ReaderPool(SIZE, InstantSource.fixed(now), defects::add);
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger hanging = new AtomicInteger();

    @AfterEach
    void readsThatEndLeaveNoThread() throws InterruptedException {
        end.countDown();
        pool.close();
        assertThat(defects).isEmpty();
    }

    private static Path file(String directory) {
        return Path.of(directory, "0a", "shuffle_0_0_0.index");
    }

    /** Reads a file until the end of the test. */
    private final class HangingRead implements ReaderPool.Work {
        private final String application;
        private final String directory;
        private final CompletableFuture<String> told = new CompletableFuture<>();
        private final CompletableFuture<BlockUnavailableException> refusal = new CompletableFuture<>();

        HangingRead(String application, String directory) {
            this.application = application;
            this.directory = directory;
        }

        @Override
        public void run() {
            try {
                ReaderPool.begin(application, file(directory));
                hanging.incrementAndGet();
                end.await();
            } catch (BlockUnavailableException e) {
                refusal.complete(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                ReaderPool.end();
            }
        }

        @Override
        public void hangs(String detail) {
            told.complete(detail);
        }

        @Override
        public void refuse(String detail) {
            told.complete("refused: " + detail);
        }
    }

    private HangingRead hang(String application, String directory) {
        int before = hanging.get();
        HangingRead read = new HangingRead(application, directory);
        pool.execute(read);
        await().until(() -> hanging.get() > before || read.refusal.isDone());
        return read;
    }

    private void looks(int times) {
        for (int i = 0; i < times; i++) {
            pool.look();
        }
    }

    /** Returns what another application's read of another directory ends with. */
    private CompletableFuture<String> read(String application, String directory) {
        CompletableFuture<String> outcome = new CompletableFuture<>();
        pool.execute(() -> {
            try {
                ReaderPool.begin(application, file(directory));
                ReaderPool.end();
                outcome.complete("read");
            } catch (BlockUnavailableException e) {
                outcome.complete(e.reason() + ": " + e.getMessage());
            }
        });
        return outcome;
    }

    @Test
    void othersAreServedOnceItIsSeenThatReadsHang() {
        HangingRead first = hang(HANGS, "/mnt/x");
        hang(HANGS, "/mnt/x");
        CompletableFuture<String> other = read(OTHER, "/mnt/y");

        looks(ReaderPool.LOOKS - 1);
        assertThat(first.told).isNotDone();
        assertThat(other).isNotDone();
        looks(1);

        assertThat(other.join()).isEqualTo("read");
        assertThat(first.told.join()).isEqualTo("2 reads of /mnt/x have hung since 2026-11-27T14:05:00Z");
        assertThat(pool.status()).containsExactly(new HangingReads("/mnt/x", HANGS, 2, "2026-11-27T14:05:00Z"));
    }

    @Test
    void whereReadsHangNoOtherOneBegins() {
        hang(HANGS, "/mnt/x");
        looks(ReaderPool.LOOKS);

        BlockUnavailableException refusal = hang(HANGS, "/mnt/x").refusal.join();
        assertThat(refusal.reason()).isEqualTo(FailureReason.STORAGE_HANGS);
        assertThat(refusal).hasMessageContaining("/mnt/x have hung since");
        assertThat(read(HANGS, "/mnt/z").join()).isEqualTo("read");
    }

    @Test
    void whereReadsEndOthersBeginAgain() {
        hang(HANGS, "/mnt/x");
        looks(ReaderPool.LOOKS);
        end.countDown();
        await().untilAsserted(() -> {
            pool.look();
            assertThat(pool.status()).isEmpty();
        });

        assertThat(read(HANGS, "/mnt/x").join()).isEqualTo("read");
    }

    @Test
    void oneApplicationHangsNoMoreThanItsShareHoweverManyDirectoriesItHas() {
        int begun = 0;
        for (int directory = 0; !hang(HANGS, "/mnt/" + directory).refusal.isDone(); directory++) {
            begun++;
            looks(ReaderPool.LOOKS);
        }

        assertThat(begun).isEqualTo(2 * SIZE);
        assertThat(read(OTHER, "/mnt/y").join()).isEqualTo("read");
        assertThat(read(HANGS, "/mnt/z").join()).isEqualTo("STORAGE_HANGS: too many reads of " + HANGS + " hang");
    }

    @Test
    void onceAllThatMayHangDoAllIsRefusedAtOnceUntilOneEnds() {
        for (int i = 0; i < SIZE + ReaderPool.MOST_HANGING; i++) {
            hang("app-" + i, "/mnt/" + i);
            looks(ReaderPool.LOOKS);
        }
        HangingRead next = new HangingRead(OTHER, "/mnt/y");
        pool.execute(next);
        assertThat(next.told.join()).startsWith("refused: all readers");

        end.countDown();
        await().until(() -> {
            pool.look();
            return pool.status().isEmpty();
        });
        assertThat(read(OTHER, "/mnt/y").join()).isEqualTo("read");
    }

    @Test
    void workThatWaitedWhenTheLastReaderHungIsRefused() {
        for (int i = 0; i < ReaderPool.MOST_HANGING; i++) {
            hang("app-" + i, "/mnt/" + i);
            looks(ReaderPool.LOOKS);
        }
        hang("app-x", "/mnt/x");
        hang("app-z", "/mnt/z");
        HangingRead waiting = new HangingRead(OTHER, "/mnt/y");
        pool.execute(waiting);
        assertThat(waiting.told).isNotDone();
        looks(ReaderPool.LOOKS);

        assertThat(waiting.told.join()).startsWith("refused: all readers");
    }

    @Test
    void readsThatGoOnNeverHang() {
        CountDownLatch goOn = new CountDownLatch(1);
        pool.execute(() -> {
            for (int block = 0; goOn.getCount() > 0; block++) {
                try {
                    ReaderPool.begin(OTHER, file("/mnt/" + block));
                } catch (BlockUnavailableException e) {
                    defects.add(e);
                }
            }
            ReaderPool.end();
        });
        AtomicInteger seen = new AtomicInteger();
        for (int i = 0; i < 3 * ReaderPool.LOOKS; i++) {
            pool.execute(seen::incrementAndGet);
            int so = i;
            await().until(() -> seen.get() > so);
            pool.look();
        }

        assertThat(pool.status()).isEmpty();
        goOn.countDown();
    }

    @Test
    void theEndWaitsForNoReadThatHangs() throws InterruptedException {
        hang(HANGS, "/mnt/x");
        looks(ReaderPool.LOOKS);

        pool.close();

        assertThat(end.getCount()).as("the read hangs still").isOne();
    }
}
