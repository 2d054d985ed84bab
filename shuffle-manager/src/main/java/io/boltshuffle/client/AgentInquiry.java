package io.boltshuffle.client;

import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.ExecutorMessage;
import io.boltshuffle.wire.FrameAssembler;
import io.boltshuffle.wire.MeetingPlace;
import io.boltshuffle.wire.WireLimits;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/** Asks an agent for its state on behalf of a command. Each call blocks the caller until its time limit at most. */
public final class AgentInquiry {

    private static final int READ_BYTES = 64 << 10;

    private AgentInquiry() {}

    /**
     * Returns the agent's state.
     *
     * @return a JSON object, the fields of {@code io.boltshuffle.agent.AgentStatus}
     * @throws IOException if no agent answers in time, or the agent refuses; the message says which
     */
    public static String status(MeetingPlace place, Duration timeout) throws IOException {
        return ask(place, timeout, List.of());
    }

    /**
     * Has the agent leave its cables to other programs, or use them again, and returns its state.
     *
     * @param seconds how long; 0 ends a pause, {@link WireLimits#MAX_PAUSE_SECONDS} has no end
     * @throws IOException as {@link #status} does
     */
    public static String pause(MeetingPlace place, Duration timeout, long seconds) throws IOException {
        return ask(place, timeout, List.of(new ExecutorMessage.Pause(seconds)));
    }

    private static String ask(MeetingPlace place, Duration timeout, List<ExecutorMessage> first) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                Selector selector = Selector.open()) {
            channel.connect(UnixDomainSocketAddress.of(place.socket()));
            write(channel, new ExecutorMessage.Hello(WireLimits.SESSION_VERSION, "status"));
            for (ExecutorMessage message : first) {
                write(channel, message);
            }
            write(channel, new ExecutorMessage.StatusRequest());
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            return readStatus(channel, selector, deadline);
        } catch (IOException e) {
            String log =
                    Files.exists(place.log()) ? "; the last line of its log: " + LogTail.lastLine(place.log()) : "";
            throw new IOException("no answer from an agent at " + place.socket() + ": " + e.getMessage() + log, e);
        }
    }

    private static String readStatus(SocketChannel channel, Selector selector, long deadline) throws IOException {
        FrameAssembler assembler = new FrameAssembler();
        ByteBuffer bytes = ByteBuffer.allocate(READ_BYTES);
        while (true) {
            awaitReadable(selector, deadline);
            if (channel.read(bytes.clear()) < 0) {
                throw new EOFException("it closed the socket");
            }
            bytes.flip();
            for (ByteBuffer frame = assembler.next(bytes); frame != null; frame = assembler.next(bytes)) {
                AgentMessage message = AgentMessage.CODEC.decode(frame);
                if (message instanceof AgentMessage.Status status) {
                    return status.json();
                }
                if (message instanceof AgentMessage.Refused refused) {
                    throw new IOException("it refuses: " + refused.detail());
                }
            }
        }
    }

    private static void awaitReadable(Selector selector, long deadline) throws IOException {
        long millis = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
        if (millis <= 0 || selector.select(millis) == 0) {
            throw new IOException("it does not answer in time");
        }
        selector.selectedKeys().clear();
    }

    private static void write(SocketChannel channel, ExecutorMessage message) throws IOException {
        ByteBuffer frame = ExecutorMessage.CODEC.encode(message);
        while (frame.hasRemaining()) {
            channel.write(frame);
        }
    }
}
