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
        try (TrustGround ground = new TrustGround(directory, Map.of());
                EventLoop loop = EventLoop.start("control-port-test", true, cause -> {})) {
            ControlPort port = new ControlPort(
                    ground.services("host-a", 1, loop),
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
