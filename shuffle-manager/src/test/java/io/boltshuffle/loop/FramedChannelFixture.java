package io.boltshuffle.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.boltshuffle.wire.FrameAssembler;
import io.boltshuffle.wire.WireException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A channel on real sockets, and its other end. */
@Timeout(60)
abstract class FramedChannelFixture {
    static final int FRAME_BYTES = 1000;

    final CompletableFuture<@Nullable Throwable> loopEnd = new CompletableFuture<>();
    final CompletableFuture<String> closed = new CompletableFuture<>();
    EventLoop loop;
    FramedChannel channel;
    SocketChannel peer;

    @BeforeEach
    final void connect() throws Exception {
        loop = EventLoop.start("framed-channel-test", true, loopEnd::complete);
        connect(new FrameAssembler(), new Listener());
    }

    final void connect(FrameAssembler assembler, FrameListener listener) throws Exception {
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

    void ask(int questions) {
        ask(peer, questions);
    }

    static void ask(SocketChannel peer, int questions) {
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

    static ByteBuffer frame() {
        return ByteBuffer.allocate(FRAME_BYTES);
    }

    ByteBuffer readFully(int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes);
        while (into.hasRemaining()) {
            if (peer.read(into) < 0) {
                fail("the stream ends after " + into.position() + " bytes");
            }
        }
        return into;
    }

    interface Step<T> {
        T run() throws IOException;
    }

    <T> T onLoop(Step<T> step) throws Exception {
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

    class Listener implements FrameListener {
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
