package io.boltshuffle.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.loop.EventLoop;
import io.boltshuffle.wire.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class ControlPortTest {

    /** A call that macOS refuses once the other end has reset the connection. */
    private enum Broken {
        ADDRESS,
        OPTION
    }

    @ParameterizedTest
    @EnumSource(Broken.class)
    void aConnectionWhoseSetUpFailsIsClosed(Broken what, @TempDir Path directory) throws Exception {
        try (TrustFixture fixture = new TrustFixture(directory, Map.of());
                EventLoop loop = EventLoop.start("control-port-test", true, cause -> {})) {
            ControlPort port = new ControlPort(
                    fixture.services("host-a", 1, loop),
                    loop,
                    new ControlPort.Access(HostAddresses.ofSystem(), Secret.of(new byte[] {1})),
                    host -> null);
            BrokenChannel channel = new BrokenChannel(what);
            CompletableFuture<Void> taken = new CompletableFuture<>();

            loop.execute(() -> {
                port.onConnection(channel);
                taken.complete(null);
            });

            taken.get(30, TimeUnit.SECONDS);
            assertThat(channel.isOpen()).isFalse();
        }
    }

    @Test
    void aPortOfAnotherProgramIsToldFromAnAddressOfAnotherHost() throws Exception {
        InetAddress own = InetAddress.getLoopbackAddress();
        InetAddress foreign = InetAddress.getByName("192.0.2.1"); // for documentation only, RFC 5737
        try (ServerSocket other = new ServerSocket(0, 1, own)) {
            int port = other.getLocalPort();

            assertThatThrownBy(() -> ControlPort.bind(List.of(own), port))
                    .isInstanceOf(ControlPort.PortTakenException.class);
            assertThatThrownBy(() -> ControlPort.bind(List.of(foreign), port))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(ControlPort.PortTakenException.class)
                    .hasMessageContaining("has to lead to an address of this host");
        }
    }

    /** The test binds the port without listening there, which the system refuses others as it refuses a user's. */
    @Test
    void aPortBelow1024ThatNobodyListensOnIsSaidToNeedRights() throws Exception {
        InetAddress own = InetAddress.getLoopbackAddress();
        int port = 1023;
        try (Socket bound = new Socket()) {
            try {
                bound.bind(new InetSocketAddress(own, port));
            } catch (IOException e) {
                // This user may not have it, as the agent may not.
            }

            assertThatThrownBy(() -> ControlPort.bind(List.of(own), port))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(ControlPort.PortTakenException.class)
                    .hasMessageContaining("not every user's")
                    .hasMessageContaining("choose another spark.boltshuffle.agent.port");
        }
    }

    @Test
    void whatWasBoundIsClosedIfOneOfItCannotBeListenedOn(@TempDir Path directory) throws Exception {
        try (TrustFixture fixture = new TrustFixture(directory, Map.of());
                EventLoop loop = EventLoop.start("control-port-test", true, cause -> {})) {
            ControlPort port = new ControlPort(
                    fixture.services("host-a", 1, loop),
                    loop,
                    new ControlPort.Access(HostAddresses.ofSystem(), Secret.of(new byte[] {1})),
                    host -> null);
            ServerSocketChannel first = boundAnywhere();
            ServerSocketChannel broken = boundAnywhere();
            ServerSocketChannel last = boundAnywhere();
            broken.close();
            CompletableFuture<Void> listening = new CompletableFuture<>();

            loop.execute(() -> {
                try {
                    port.listen(List.of(first, broken, last));
                    listening.complete(null);
                } catch (IOException e) {
                    listening.completeExceptionally(e);
                }
            });

            assertThatThrownBy(() -> listening.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class);
            assertThat(List.of(first, last)).noneMatch(ServerSocketChannel::isOpen);
        }
    }

    private static ServerSocketChannel boundAnywhere() throws IOException {
        return ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** A connection that the other end has reset already. */
    private static final class BrokenChannel extends SocketChannel {
        private final Broken what;

        BrokenChannel(Broken what) {
            super(SelectorProvider.provider());
            this.what = what;
        }

        @Override
        public SocketAddress getRemoteAddress() throws IOException {
            if (what == Broken.ADDRESS) {
                throw new SocketException("Invalid argument");
            }
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        }

        @Override
        public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
            throw new SocketException("Invalid argument");
        }

        @Override
        protected void implCloseSelectableChannel() {
            // There is no descriptor.
        }

        @Override
        protected void implConfigureBlocking(boolean block) {
            throw unexpected();
        }

        @Override
        public <T> T getOption(SocketOption<T> name) {
            throw unexpected();
        }

        @Override
        public Set<SocketOption<?>> supportedOptions() {
            throw unexpected();
        }

        @Override
        public SocketChannel bind(SocketAddress local) {
            throw unexpected();
        }

        @Override
        public SocketChannel shutdownInput() {
            throw unexpected();
        }

        @Override
        public SocketChannel shutdownOutput() {
            throw unexpected();
        }

        @Override
        public Socket socket() {
            throw unexpected();
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public boolean isConnectionPending() {
            return false;
        }

        @Override
        public boolean connect(SocketAddress remote) {
            throw unexpected();
        }

        @Override
        public boolean finishConnect() {
            throw unexpected();
        }

        @Override
        public SocketAddress getLocalAddress() {
            throw unexpected();
        }

        @Override
        public int read(ByteBuffer into) {
            throw unexpected();
        }

        @Override
        public long read(ByteBuffer[] into, int offset, int length) {
            throw unexpected();
        }

        @Override
        public int write(ByteBuffer from) {
            throw unexpected();
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) {
            throw unexpected();
        }

        private static IllegalStateException unexpected() {
            return new IllegalStateException("nothing is done with a connection that could not be set up");
        }
    }
}
