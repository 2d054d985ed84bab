package io.boltshuffle.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.boltshuffle.wire.WireException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that other threads run in the place of a loop that sleeps. */
@Timeout(60)
class HurriedTasksTest {
    private static final String LOOP = "hurried-tasks-test";
    private static final int FRAME_BYTES = 1000;

    private final CompletableFuture<@Nullable Throwable> loopEnd = new CompletableFuture<>();
    private EventLoop loop;

    @BeforeEach
    void start() throws IOException {
        loop = EventLoop.start(LOOP, true, loopEnd::complete);
    }

    @AfterEach
    void end() {
        loop.close();
    }

    /** Hurries the task until this thread finds the loop asleep and runs it. */
    private void runHere(Runnable task) {
        Thread here = Thread.currentThread();
        AtomicBoolean ran = new AtomicBoolean();
        while (!ran.get()) {
            loop.hurry(() -> {
                if (Thread.currentThread() == here) {
                    ran.set(true);
                    task.run();
                }
            });
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
    }

    @Test
    void whatWasGivenBeforeComesFirstAndOnTheLoop() throws Exception {
        CompletableFuture<Boolean> gate = new CompletableFuture<>();
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        List<String> order = new ArrayList<>();
        loop.execute(() -> order.add("gate " + gate.join()));
        loop.execute(() -> order.add("first"));
        loop.hurry(() -> order.add("second on " + Thread.currentThread().getName()));
        loop.execute(() -> over.complete(true));
        gate.complete(true);

        assertThat(over.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(order).containsExactly("gate true", "first", "second on " + LOOP);
    }

    @Test
    void whatAHurriedTaskHurriesWaitsForItsEnd() throws Exception {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        runHere(() -> {
            loop.hurry(() -> {
                order.add("inner");
                over.complete(true);
            });
            order.add("outer");
        });

        assertThat(over.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(order).containsExactly("outer", "inner");
    }

    @Test
    void aTaskThatFailsOnAnotherThreadEndsTheLoop() throws Exception {
        IllegalStateException failure = new IllegalStateException("made by a test");
        runHere(() -> {
            throw failure;
        });
        AtomicBoolean ranLater = new AtomicBoolean();
        loop.hurry(() -> ranLater.set(true));

        assertThat(loopEnd.get(30, TimeUnit.SECONDS)).isSameAs(failure);
        assertThat(ranLater).as("what is wrong must move nothing").isFalse();
    }

    /** Others can have the turn before the loop's thread first takes it; the loop is new each time, as that is rare. */
    @RepeatedTest(100)
    void aTaskThatFailsBeforeTheLoopHasBegunEndsItToo() throws Exception {
        IllegalStateException failure = new IllegalStateException("made by a test");
        AtomicBoolean ranLater = new AtomicBoolean();
        CompletableFuture<@Nullable Throwable> end = new CompletableFuture<>();
        EventLoop fresh = EventLoop.start(LOOP, true, end::complete);
        fresh.hurry(() -> {
            throw failure;
        });
        fresh.hurry(() -> ranLater.set(true));

        // A loop that did not notice would sleep for ten.
        assertThat(end.get(8, TimeUnit.SECONDS)).isSameAs(failure);
        assertThat(ranLater).isFalse();
        fresh.close();
    }

    @Test
    void aTimerThatAHurriedTaskSetsIsNotSleptThrough() throws Exception {
        CompletableFuture<String> fired = new CompletableFuture<>();
        long start = System.nanoTime();
        runHere(() -> loop.after(
                Duration.ofMillis(20).toNanos(),
                () -> fired.complete(Thread.currentThread().getName())));

        assertThat(fired.get(30, TimeUnit.SECONDS)).isEqualTo(LOOP);
        // A loop that was not woken sleeps for ten.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
    }

    @Test
    void aHurriedTaskMayEndTheLoop() throws Exception {
        runHere(loop::close);

        assertThat(loopEnd.get(30, TimeUnit.SECONDS)).isNull();
    }

    /** Spark interrupts the threads of tasks that it kills, and an interrupt closes channels that block. */
    @Test
    void whatAnInterruptedThreadSendsLeavesAtOnceAndTheSocketStaysOpen() throws Exception {
        try (Connection connection = new Connection()) {
            runHere(() -> {
                Thread.currentThread().interrupt();
                connection.channel.send(ByteBuffer.allocate(FRAME_BYTES));
            });
            assertThat(Thread.interrupted()).isTrue();
            connection.readFrame();
            runHere(() -> connection.channel.send(ByteBuffer.allocate(FRAME_BYTES)));
            connection.readFrame();
        }
    }

    @Test
    void whatDoesNotFitTheSocketLeavesWhenTheOtherEndReads() throws Exception {
        int frames = 20_000;
        try (Connection connection = new Connection()) {
            runHere(() -> {
                for (int i = 0; i < frames; i++) {
                    connection.channel.send(ByteBuffer.allocate(FRAME_BYTES));
                }
            });
            for (int i = 0; i < frames; i++) {
                connection.readFrame();
            }
        }
    }

    @Test
    void aChannelThatAHurriedTaskClosesIsClosed() throws Exception {
        try (Connection connection = new Connection()) {
            runHere(connection.channel::close);

            assertThat(connection.peer.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }

    /** Tasks touch what is not guarded by anything else: two at the same time would lose counts. */
    @Test
    void tasksOfManyThreadsRunOneByOneAndInTheOrderOfEach() throws Exception {
        int each = 20_000;
        List<Giver> givers = List.of(new Giver(each), new Giver(each), new Giver(each));
        givers.forEach(Thread::start);
        for (Giver giver : givers) {
            giver.over.get(50, TimeUnit.SECONDS);
        }

        assertThat(givers).allSatisfy(giver -> assertThat(giver.done).isEqualTo(each));
        assertThat(allDone).isEqualTo(givers.size() * each);
        assertThat(loopEnd).isNotDone();
    }

    private int allDone;

    /** Gives the loop tasks, now this way and now that. */
    private final class Giver extends Thread {
        private final int tasks;
        private final CompletableFuture<Boolean> over = new CompletableFuture<>();
        private int done;

        Giver(int tasks) {
            this.tasks = tasks;
        }

        @Override
        public void run() {
            for (int i = 0; i < tasks; i++) {
                int number = i;
                Runnable task = () -> take(number);
                if (i % 3 == 0) {
                    loop.execute(task);
                } else {
                    loop.hurry(task);
                }
                if (i % 64 == 0) {
                    LockSupport.parkNanos(1);
                }
            }
            loop.execute(() -> over.complete(true));
        }

        private void take(int number) {
            if (number != done) {
                over.completeExceptionally(new AssertionError("task " + number + " ran after " + done));
            }
            done++;
            allDone++;
        }
    }

    /** A channel of the loop and the socket at its other end. */
    private final class Connection implements FrameListener, AutoCloseable {
        private final SocketChannel peer;
        private final FramedChannel channel;

        Connection() throws Exception {
            try (ServerSocketChannel server = ServerSocketChannel.open()) {
                server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                peer = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept();
                CompletableFuture<FramedChannel> opened = new CompletableFuture<>();
                loop.execute(() -> {
                    try {
                        opened.complete(FramedChannel.open(accepted, loop, this));
                    } catch (IOException e) {
                        opened.completeExceptionally(e);
                    }
                });
                channel = opened.get(30, TimeUnit.SECONDS);
            }
        }

        void readFrame() throws IOException {
            ByteBuffer into = ByteBuffer.allocate(FRAME_BYTES);
            while (into.hasRemaining()) {
                if (peer.read(into) < 0) {
                    fail("the stream ended");
                }
            }
        }

        @Override
        public void close() throws IOException {
            peer.close();
        }

        @Override
        public void onFrame(ByteBuffer frame) {
            fail("nothing is sent to this end");
        }

        @Override
        public void onGarbage(WireException cause) {
            fail("nothing is sent to this end", cause);
        }

        @Override
        public void onClosed(String why) {
            // The test closes it.
        }
    }
}
