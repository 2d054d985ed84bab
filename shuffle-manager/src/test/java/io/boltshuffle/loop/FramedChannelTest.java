package io.boltshuffle.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.wire.FrameAssembler;
import io.boltshuffle.wire.WireException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shows when frames leave, on real sockets. */
@Timeout(60)
class FramedChannelTest {
    private static final int FRAME_BYTES = 1000;

    private final CompletableFuture<@Nullable Throwable> loopEnd = new CompletableFuture<>();
    private final CompletableFuture<String> closed = new CompletableFuture<>();
    private EventLoop loop;
    private FramedChannel channel;
    private SocketChannel peer;

    @BeforeEach
    void connect() throws Exception {
        loop = EventLoop.start("framed-channel-test", true, loopEnd::complete);
        connect(new FrameAssembler(), new Listener());
    }

    private void connect(FrameAssembler assembler, FrameListener listener) throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            peer = SocketChannel.open(server.getLocalAddress());
            SocketChannel accepted = server.accept();
            channel = onLoop(() -> FramedChannel.open(accepted, loop, listener, assembler));
        }
    }

    @AfterEach
    void end() throws Exception {
        peer.close();
        loop.close();
        assertThat(loopEnd.get(30, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void tooLittleMemoryForAFrameEndsNeitherLoopNorSocket() throws Exception {
        onLoop(() -> {
            channel.close();
            return true;
        });
        peer.close();
        FrameAssembler poor = new FrameAssembler(bytes -> {
            if (bytes > FRAME_BYTES * 5) {
                throw new OutOfMemoryError("of the test");
            }
            return new byte[bytes];
        });
        CompletableFuture<WireException> garbage = new CompletableFuture<>();
        connect(poor, new Listener() {
            @Override
            public void onGarbage(WireException cause) {
                garbage.complete(cause);
            }
        });

        ByteBuffer large = ByteBuffer.allocate(FRAME_BYTES * 20);
        large.putInt(0, large.capacity() - Integer.BYTES);
        peer.write(large);

        assertThat(garbage.get(30, TimeUnit.SECONDS)).hasMessageContaining("OutOfMemoryError");
        onLoop(() -> {
            channel.send(frame());
            return true;
        });
        readFully(FRAME_BYTES);
        assertThat(closed).isNotDone();
    }

    @Test
    void framesLeaveTogetherAtTheEndOfTheTurn() throws Exception {
        int early = onLoop(() -> {
            channel.send(frame());
            channel.send(frame());
            return arrived();
        });

        assertThat(early).isZero();
        readFully(2 * FRAME_BYTES);
    }

    @Test
    void manyBytesDoNotWaitForTheEndOfTheTurn() throws Exception {
        int early = onLoop(() -> {
            for (int sent = 0; sent < 300 << 10; sent += FRAME_BYTES) {
                channel.send(frame());
            }
            return arrived();
        });

        assertThat(early).isPositive();
    }

    @Test
    void whatWasSentBeforeClosingArrives() throws Exception {
        onLoop(() -> {
            channel.send(frame());
            channel.close();
            return true;
        });

        readFully(FRAME_BYTES);
        assertThat(peer.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void aChannelThatIsToCloseAfterSendingDoesBoth() throws Exception {
        onLoop(() -> {
            channel.send(frame());
            channel.closeAfterSending();
            channel.send(frame()); // too late
            return true;
        });

        readFully(FRAME_BYTES);
        assertThat(peer.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void moreFramesThanTheSocketTakesAllArriveInOrder() throws Exception {
        int frames = 20_000; // 20 MB, more than both ends' socket buffers hold
        CompletableFuture<Void> queued = new CompletableFuture<>();
        loop.execute(() -> {
            for (int i = 0; i < frames; i++) {
                channel.send(ByteBuffer.allocate(FRAME_BYTES).putInt(0, i));
            }
            queued.complete(null);
        });
        queued.get(30, TimeUnit.SECONDS);

        for (int i = 0; i < frames; i++) {
            assertThat(readFully(FRAME_BYTES).getInt(0)).isEqualTo(i);
        }
    }

    @Test
    void aReaderThatNeverReadsIsGivenUp() throws Exception {
        loop.execute(() -> {
            for (long sent = 0; sent < 3 * FrameWriter.MAX_QUEUED_BYTES; sent += 1 << 20) {
                channel.send(ByteBuffer.allocate(1 << 20));
            }
        });

        assertThat(closed.get(30, TimeUnit.SECONDS)).contains("the other end does not read");
    }

    @Test
    void anEndThatIsNeededIsHeardUntilTheOtherClosesThoughNothingMoreCanBeSent() throws Exception {
        Needing needing = new Needing();
        connect(new FrameAssembler(), needing);
        loop.execute(() -> {
            for (long sent = 0; sent < 3 * FrameWriter.MAX_QUEUED_BYTES; sent += 1 << 20) {
                channel.send(ByteBuffer.allocate(1 << 20));
            }
        });
        assertThat(needing.muted.get(30, TimeUnit.SECONDS)).contains("the other end does not read");

        ask(3);

        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(() -> needing.heard == 3));
        assertThat(onLoop(channel::queuedBytes)).isZero();
        assertThat(closed).isNotDone();
        peer.close();
        closed.get(30, TimeUnit.SECONDS);
    }

    @Test
    void anEndWhoseListenerBreaksHearsWhatFollowedAndStaysOpenIfItIsNeeded() throws Exception {
        Needing needing = new Needing();
        needing.breaksAt = 0;
        connect(new FrameAssembler(), needing);

        ask(3);

        assertThat(needing.muted.get(30, TimeUnit.SECONDS)).contains("made by a test");
        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(() -> needing.heard == 3));
        assertThat(closed).isNotDone();
        peer.shutdownOutput();
        assertThat(closed.get(30, TimeUnit.SECONDS)).isEqualTo("end of stream");
    }

    private static void open(SocketChannel channel, EventLoop of, FrameListener listener) {
        try {
            FramedChannel.open(channel, of, listener);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSocketOutlivesALoopThatBreaksIfMemoryOfTheOtherEndIsInUse(boolean inUse) throws Exception {
        CompletableFuture<@Nullable Throwable> brokenEnd = new CompletableFuture<>();
        EventLoop breaking = EventLoop.start("breaking-loop-test", true, brokenEnd::complete);
        Needing needing = new Needing();
        needing.usesMemory = inUse;
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel there = SocketChannel.open(server.getLocalAddress());
                    SocketChannel here = server.accept()) {
                breaking.execute(() -> {
                    open(here, breaking, needing);
                    throw new OutOfMemoryError("made by a test");
                });

                assertThat(brokenEnd.get(30, TimeUnit.SECONDS)).isInstanceOf(OutOfMemoryError.class);
                assertThat(here.isOpen()).isEqualTo(inUse);
                there.configureBlocking(false);
                assertThat(there.read(ByteBuffer.allocate(1))).isEqualTo(inUse ? 0 : -1);
            }
        }
    }

    @Test
    void aLoopThatIsClosedInOrderGoesOnUntilMemoryOfTheOtherEndIsNoLongerInUse() throws Exception {
        CompletableFuture<@Nullable Throwable> end = new CompletableFuture<>();
        EventLoop closing = EventLoop.start("closing-loop-test", true, end::complete);
        Needing needing = new Needing();
        needing.usesMemory = true;
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel there = SocketChannel.open(server.getLocalAddress());
                    SocketChannel here = server.accept()) {
                closing.execute(() -> open(here, closing, needing));

                closing.closeOnceUnneeded();

                there.configureBlocking(false);
                assertThat(there.read(ByteBuffer.allocate(1))).isZero();
                assertThat(end).isNotDone();
                closing.execute(() -> needing.usesMemory = false);
                assertThat(end.get(30, TimeUnit.SECONDS)).isNull();
                assertThat(there.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
        }
        closing.closeOnceUnneeded();
    }

    @Test
    void memoryIsCountedNotTheFewBytesOfItThatAreSent() throws Exception {
        loop.execute(() -> {
            while (channel.queuedBytes() < 16 << 20) {
                channel.send(ByteBuffer.allocate(1 << 20)); // until the socket is full, even if its buffers grow
            }
            channel.maxQueuedBytes(channel.queuedBytes() + (256 << 10));
            for (int i = 0; i < 3000; i++) {
                channel.send(ByteBuffer.allocate(10_000).limit(10));
            }
        });

        assertThat(closed.get(30, TimeUnit.SECONDS)).contains("the other end does not read");
    }

    @Test
    void anEndThatAsksAndDoesNotReadIsNotReadFromUntilItReads() throws Exception {
        int questions = 60_000; // 60 MB of answers, more than sockets hold and than may wait
        Answering answering = new Answering();
        connect(new FrameAssembler(), answering);
        CompletableFuture<Void> asked = CompletableFuture.runAsync(() -> ask(questions));
        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(channel::isPaused));
        int answered = onLoop(() -> answering.answered);

        for (int i = 0; i < questions; i++) {
            assertThat(readFully(FRAME_BYTES).getInt(Integer.BYTES)).isEqualTo(i);
        }
        asked.get(30, TimeUnit.SECONDS);
        assertThat(answered).isLessThan(questions);
        assertThat(onLoop(() -> answering.mostQueuedBytes))
                .isBetween(FrameReader.MAX_ANSWER_BYTES, FrameReader.MAX_ANSWER_BYTES + 2 * FRAME_BYTES);
        assertThat(closed).isNotDone();
    }

    @Test
    void aChannelThatIsToCloseReadsOnThoughItsAnswersAreNotRead() throws Exception {
        connect(new FrameAssembler(), new Answering());
        CompletableFuture<Void> asked = CompletableFuture.runAsync(() -> ask(60_000));
        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(channel::isPaused));

        onLoop(() -> {
            channel.closeAfterSending();
            return true;
        });

        assertThat(onLoop(channel::isPaused)).isFalse();
        peer.close();
        await().atMost(Duration.ofSeconds(30)).until(asked::isDone);
        assertThat(closed).isNotDone();
    }

    @Test
    void whatIsSentOfOnesOwnAccordDoesNotKeepOneFromReading() throws Exception {
        Answering answering = new Answering();
        connect(new FrameAssembler(), answering);
        onLoop(() -> {
            for (int i = 0; i < 20_000; i++) {
                channel.send(frame());
            }
            return true;
        });
        ask(10);

        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(() -> answering.answered == 10));
        assertThat(onLoop(channel::isPaused)).isFalse();
    }

    @Test
    void whatIsAskedInTurnDoesNotKeepOneFromReading() throws Exception {
        int frames = 20_000; // 20 MB of questions, which the other end never reads
        Asking asking = new Asking();
        connect(new FrameAssembler(), asking);

        ask(frames);

        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(() -> asking.heard == frames));
        assertThat(onLoop(channel::queuedBytes)).isGreaterThan(FrameReader.MAX_ANSWER_BYTES);
        assertThat(onLoop(channel::isPaused)).isFalse();
        assertThat(closed).isNotDone();
    }

    @Test
    void anEndThatDoesNotReadTheLastWordsIsLeftAfterAWhile() throws Exception {
        onLoop(() -> {
            for (int i = 0; i < 20_000; i++) {
                channel.send(frame());
            }
            channel.closeAfterSending();
            return true;
        });

        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(() -> channel.queuedBytes() == 0));
        assertThat(closed).isNotDone();
    }

    /** Memory outside the heap comes back at a full collection only, which an agent may not need for days. */
    @Test
    void aConnectionTakesNoMemoryOutsideTheHeap() throws Exception {
        int connections = 40;
        List<SocketChannel> others = new ArrayList<>();
        long before = buffersOutsideTheHeap();
        for (int i = 0; i < connections; i++) {
            others.add(peer);
            connect(new FrameAssembler(), new Listener());
        }
        long taken = buffersOutsideTheHeap() - before;
        for (SocketChannel other : others) {
            other.close();
        }
        assertThat(taken).isLessThan(connections / 4);
    }

    @Test
    void whatAChannelKeptWhileItPausedArrivesAlthoughOthersReadMeanwhile() throws Exception {
        int questions = 60_000; // 60 MB of answers, more than sockets hold and than may wait
        Answering answering = new Answering();
        connect(new FrameAssembler(), answering);
        FramedChannel pausing = channel;
        SocketChannel asking = peer;
        CompletableFuture<Void> asked = CompletableFuture.runAsync(() -> ask(asking, questions));
        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(pausing::isPaused));

        Asking other = new Asking();
        connect(new FrameAssembler(), other);
        ask(5_000);
        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(() -> other.heard == 5_000));
        peer.close();
        peer = asking;
        channel = pausing;

        for (int i = 0; i < questions; i++) {
            assertThat(readFully(FRAME_BYTES).getInt(Integer.BYTES)).isEqualTo(i);
        }
        asked.get(30, TimeUnit.SECONDS);
    }

    private static long buffersOutsideTheHeap() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getCount)
                .sum();
    }

    @Test
    void anotherThreadMayNotSend() {
        assertThatThrownBy(() -> channel.send(frame()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("framed-channel-test");
    }

    private void ask(int questions) {
        ask(peer, questions);
    }

    private static void ask(SocketChannel peer, int questions) {
        try {
            for (int i = 0; i < questions; i++) {
                ByteBuffer question = ByteBuffer.allocate(2 * Integer.BYTES)
                        .putInt(Integer.BYTES)
                        .putInt(i)
                        .flip();
                while (question.hasRemaining()) {
                    peer.write(question);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuffer frame() {
        return ByteBuffer.allocate(FRAME_BYTES);
    }

    /** Returns how many bytes are there for the peer now. */
    private int arrived() throws IOException {
        peer.configureBlocking(false);
        int count = peer.read(ByteBuffer.allocate(10 * FRAME_BYTES));
        peer.configureBlocking(true);
        return count;
    }

    private ByteBuffer readFully(int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes);
        while (into.hasRemaining()) {
            if (peer.read(into) < 0) {
                fail("the stream ends after " + into.position() + " bytes");
            }
        }
        return into;
    }

    private interface Step<T> {
        T run() throws IOException;
    }

    private <T> T onLoop(Step<T> step) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(step.run());
            } catch (IOException | AssertionError e) {
                result.completeExceptionally(e);
            }
        });
        return result.get(30, TimeUnit.SECONDS);
    }

    /** Answers each frame with a long one. */
    private class Answering extends Listener {
        private int answered;
        private long mostQueuedBytes;

        @Override
        public void onFrame(ByteBuffer question) {
            channel.send(ByteBuffer.allocate(FRAME_BYTES).putInt(Integer.BYTES, question.getInt()));
            answered++;
            mostQueuedBytes = Math.max(mostQueuedBytes, channel.queuedBytes());
        }
    }

    /** Asks something itself at each frame. */
    private final class Asking extends Listener {
        private int heard;

        @Override
        public void onFrame(ByteBuffer frame) {
            channel.ask(frame());
            heard++;
        }
    }

    /** Wants to hear the other end even after this end has failed. */
    private final class Needing extends Listener {
        private final CompletableFuture<String> muted = new CompletableFuture<>();
        private int heard;
        private int breaksAt = -1;
        private boolean usesMemory;

        @Override
        public void onFrame(ByteBuffer frame) {
            if (heard++ == breaksAt) {
                throw new IllegalStateException("made by a test");
            }
        }

        @Override
        public boolean onMuted(String why) {
            assertThat(muted.complete(why)).isTrue();
            return true;
        }

        @Override
        public boolean usesMemoryOfOtherEnd() {
            return usesMemory;
        }
    }

    private class Listener implements FrameListener {
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
            closed.complete(why);
        }
    }
}
