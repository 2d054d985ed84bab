package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.link.engine.QueuePairLink;
import io.boltshuffle.rdma.link.engine.TestLinks;
import io.boltshuffle.rdma.memory.Lease;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that is one host of the lab's guest and offers one range over one link. The link's messages go over its
 * standard input and output, each behind its length; the first thing it says besides is the offer, behind a length of
 * 0.
 *
 * <p><b>Ownership:</b> {@link #close} ends it.
 */
final class ServingProcess implements AutoCloseable {

    static final long SEED = 4711;

    private static final int TICKS_PER_SECOND = 100;

    private final Process process;
    private final DataOutputStream in;
    private final DataInputStream out;

    private ServingProcess(Process process) {
        this.process = process;
        this.in = new DataOutputStream(process.getOutputStream());
        this.out = new DataInputStream(process.getInputStream());
    }

    static ServingProcess start(LinkMode mode, long bytes) throws IOException {
        return new ServingProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-ea",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServingProcess.class.getName(),
                        mode.name(),
                        Long.toString(bytes))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Kills the process as the kernel does, without a clean-up of its own. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Time that the process used so far, in its own code and in system calls made by it. */
    Duration processorTime() throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        return Duration.ofMillis(ticks * 1000 / TICKS_PER_SECOND);
    }

    synchronized void send(ByteBuffer message) {
        try {
            write(in, message);
        } catch (IOException e) {
            throw new IllegalStateException("the serving process is gone", e);
        }
    }

    /** The next message, an empty buffer before the offer, null at the end. */
    @Nullable ByteBuffer receive() {
        return read(out);
    }

    static void assertHoldsContent(Lease lease, long bytes) {
        Content content = new Content(SEED);
        for (long at = 0; at < bytes; at += Content.CHUNK) {
            int length = (int) Math.min(Content.CHUNK, bytes - at);
            assertThat(lease.view(at, length)).isEqualTo(content.next(length));
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit()
                .orTimeout(30, TimeUnit.SECONDS)
                .exceptionally(late -> process.destroyForcibly())
                .join();
    }

    private static void write(DataOutputStream to, ByteBuffer message) throws IOException {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        to.writeInt(bytes.length);
        to.write(bytes);
        to.flush();
    }

    private static @Nullable ByteBuffer read(DataInputStream from) {
        try {
            return ByteBuffer.wrap(from.readNBytes(from.readInt()));
        } catch (IOException end) {
            return null;
        }
    }

    /** The JVM itself: its first argument is the mode, the second how many bytes to offer. */
    public static void main(String[] arguments) throws Exception {
        LinkMode mode = LinkMode.valueOf(arguments[0]);
        long bytes = Long.parseLong(arguments[1]);
        DataOutputStream toPeer = new DataOutputStream(System.out);
        DataInputStream fromPeer = new DataInputStream(System.in);
        try (LinkHost host = SoftRoce.open(0, mode, 2 * bytes + (16 << 20))) {
            CompletableFuture<LinkState> ended = new CompletableFuture<>();
            CompletableFuture<LinkReport> up = new CompletableFuture<>();
            LinkListener listener = new LinkListener() {
                @Override
                public void onUp(LinkReport report) {
                    up.complete(report);
                }

                @Override
                public void onDown(@Nullable LinkFailure failure) {
                    up.completeExceptionally(new IllegalStateException(String.valueOf(failure)));
                }

                @Override
                public void onEnded(LinkState end) {
                    ended.complete(end);
                }
            };
            OutOfBand channel = message -> say(toPeer, message);
            QueuePairLink link =
                    TestLinks.build(host.setup(channel, listener, RemoteLink.options(mode), null), host.poller());
            TestLinks.start(link, host.poller());
            Thread reader = new Thread(() -> relay(fromPeer, link), "from-peer");
            reader.setDaemon(true);
            reader.start();
            up.get();
            Lease lease = host.leaseFilled(bytes, SEED);
            Offer offer = link.offer(RangePart.all(host.range(lease)), null, () -> {});
            lease.release();
            ByteBuffer encoded = ByteBuffer.allocate(offer.encodedBytes());
            offer.encode(encoded);
            say(toPeer, ByteBuffer.allocate(0));
            say(toPeer, encoded.flip());
            ended.get();
        }
    }

    private static void relay(DataInputStream fromPeer, Link link) {
        for (ByteBuffer message = read(fromPeer); message != null; message = read(fromPeer)) {
            link.onMessage(message);
        }
        link.onChannelLost("the peer's end of the pipe was closed");
    }

    private static void say(DataOutputStream toPeer, ByteBuffer message) {
        synchronized (toPeer) {
            try {
                write(toPeer, message);
            } catch (IOException e) {
                throw new IllegalStateException("the peer is gone", e);
            }
        }
    }
}
