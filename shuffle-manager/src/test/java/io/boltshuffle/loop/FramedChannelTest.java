package io.boltshuffle.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.wire.FrameAssembler;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shows how a channel ends whose listener, loop or writer breaks, and what a channel takes. */
class FramedChannelTest extends FramedChannelFixture {
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

    private static void open(SocketChannel channel, EventLoop of, FrameListener listener) {
        try {
            FramedChannel.open(channel, of, listener);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long buffersOutsideTheHeap() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getCount)
                .sum();
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
}
