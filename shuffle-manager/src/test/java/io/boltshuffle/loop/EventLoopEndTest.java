package io.boltshuffle.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that a thread waits for are run or dropped as their loop ends. */
@Timeout(60)
class EventLoopEndTest {

    private static final int LEFT = 3;

    private final CompletableFuture<@Nullable Throwable> loopEnd = new CompletableFuture<>();
    private final CompletableFuture<Boolean> gate = new CompletableFuture<>();
    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch left = new CountDownLatch(LEFT);

    /** Gives tasks to a loop that is busy, and has it break before it comes to them. */
    private void breakBefore(Loop loop, Runnable breaking) throws Exception {
        loop.execute(gate::join);
        loop.execute(breaking);
        for (int i = 0; i < LEFT; i++) {
            int number = i;
            loop.hurry(() -> heard.add("ran " + number), () -> {
                heard.add("dropped " + number);
                left.countDown();
            });
        }
        gate.complete(true);
        assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private void assertLaterTasksAreDropped(Loop loop) {
        loop.execute(() -> heard.add("ran later"), () -> heard.add("dropped later"));
        loop.hurry(() -> heard.add("ran last"), () -> heard.add("dropped last"));
        loop.execute(() -> heard.add("nobody waits"));

        assertThat(heard).containsExactly("dropped 0", "dropped 1", "dropped 2", "dropped later", "dropped last");
    }

    @Test
    void anErrorThatAlsoBreaksTheHandlerOfDefectsLeavesNobodyWaiting() throws Exception {
        EventLoop loop = EventLoop.start("end-test", true, loopEnd::complete);
        OutOfMemoryError second = new OutOfMemoryError("made by a test, as the defect is handled");
        GuardedLoop guarded = new GuardedLoop(loop, defect -> {
            throw second;
        });

        breakBefore(guarded, () -> {
            throw new OutOfMemoryError("made by a test");
        });

        assertThat(loopEnd.get(30, TimeUnit.SECONDS)).isSameAs(second);
        assertLaterTasksAreDropped(guarded);
    }

    @Test
    void anOwnerThatBreaksAsItHearsOfTheEndLeavesNobodyWaiting() throws Exception {
        EventLoop loop = EventLoop.start("end-test", true, cause -> {
            throw new OutOfMemoryError("made by a test, as the end is told");
        });

        breakBefore(loop, () -> {
            throw new IllegalStateException("made by a test");
        });

        assertLaterTasksAreDropped(loop);
    }

    @Test
    void oneThatBreaksAsItHearsThatItsTaskIsDroppedKeepsNoOtherFromHearing() throws Exception {
        EventLoop loop = EventLoop.start("end-test", true, loopEnd::complete);
        loop.execute(gate::join);
        loop.execute(() -> {
            throw new IllegalStateException("made by a test");
        });
        loop.execute(() -> {}, () -> {
            throw new AssertionError("made by a test");
        });
        loop.execute(() -> {}, left::countDown);
        loop.execute(() -> {}, left::countDown);
        loop.execute(() -> {}, left::countDown);
        gate.complete(true);

        assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whatWasGivenBeforeACloseRunsAndWhatComesLaterIsDropped() throws Exception {
        EventLoop loop = EventLoop.start("end-test", true, loopEnd::complete);
        loop.execute(() -> heard.add("ran"), () -> heard.add("dropped"));

        loop.close();
        loop.execute(() -> heard.add("ran later"), () -> heard.add("dropped later"));

        assertThat(heard).containsExactly("ran", "dropped later");
    }

    /** Two threads give tasks while the loop breaks: each task runs or is dropped, and never both. */
    @RepeatedTest(20)
    void eachTaskIsHeardOfOnceWhereverTheLoopIsAsItEnds() throws Exception {
        int each = 2_000;
        EventLoop loop = EventLoop.start("end-test", true, loopEnd::complete);
        AtomicInteger[] answers = new AtomicInteger[2 * each];
        CountDownLatch begun = new CountDownLatch(2);
        List<Thread> givers = new ArrayList<>();
        for (int giver = 0; giver < 2; giver++) {
            int first = giver * each;
            givers.add(new Thread(() -> {
                begun.countDown();
                for (int i = first; i < first + each; i++) {
                    AtomicInteger answer = new AtomicInteger();
                    answers[i] = answer;
                    if (i % 2 == 0) {
                        loop.execute(answer::incrementAndGet, answer::incrementAndGet);
                    } else {
                        loop.hurry(answer::incrementAndGet, answer::incrementAndGet);
                    }
                }
            }));
        }
        givers.forEach(Thread::start);
        begun.await();
        loop.execute(() -> {
            throw new IllegalStateException("made by a test");
        });
        for (Thread giver : givers) {
            giver.join();
        }
        loop.close(); // waits for the thread

        assertThat(answers).allSatisfy(answer -> assertThat(answer).hasValue(1));
    }
}
