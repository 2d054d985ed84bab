package io.boltshuffle.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shows what happens to connections that cannot be taken. */
@Timeout(60)
class AcceptorTest {

    private static final int FAILURES = 3;

    @Test
    void wantOfDescriptorsIsToldOnceAndTriedAgainAfterAPause() throws Exception {
        EventLoop loop = EventLoop.start("acceptor-test", true, cause -> {});
        ServerSocketChannel server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        AtomicInteger attempts = new AtomicInteger();
        List<Exception> told = new CopyOnWriteArrayList<>();
        CompletableFuture<SocketChannel> taken = new CompletableFuture<>();
        loop.execute(() -> open(loop, server, attempts, taken, told));

        long started = System.nanoTime();
        try (SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
            taken.get(30, TimeUnit.SECONDS).close();
            assertThat(client.isConnected()).isTrue();
        }

        assertThat(attempts).hasValueBetween(FAILURES + 1, FAILURES + 2); // the last finds that no more wait
        assertThat(System.nanoTime() - started).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(FAILURES * 400));
        assertThat(told).singleElement().satisfies(e -> assertThat(e).hasMessage("Too many open files"));
        loop.close();
    }

    private static void open(
            EventLoop loop,
            ServerSocketChannel server,
            AtomicInteger attempts,
            CompletableFuture<SocketChannel> taken,
            List<Exception> told) {
        try {
            Acceptor.open(
                    loop,
                    server,
                    () -> {
                        if (attempts.incrementAndGet() <= FAILURES) {
                            throw new IOException("Too many open files");
                        }
                        return server.accept();
                    },
                    taken::complete,
                    told::add);
        } catch (IOException e) {
            taken.completeExceptionally(e);
        }
    }
}
