package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.link.verify.SocketSideChannel;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.verbs.VirtualFabric;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One of the two JVMs that {@link LinkStreamBench} starts: {@code SERVE} offers a range, {@code FETCH} fetches it again and
 * again. Each prints one line: the CPU time of its threads by kind.
 *
 * <p>The time of checksums is taken apart.
 */
final class StreamPeer implements LinkListener {

    private static final int RANGE_BYTES = 32 << 20;
    private static final int AT_ONCE = 2;
    private static final int WARM_UP = 120;
    private static final long SLAB_BYTES = 128L << 20;
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final int WINDOW_BYTES = 8 << 20;
    private static final byte FOR_LINK = 1;
    private static final byte WORD = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final SocketSideChannel channel;
    private final LinkHost host;
    private long checksumNanos;
    private final CompletableFuture<LinkReport> up = new CompletableFuture<>();
    private final CompletableFuture<LinkState> ended = new CompletableFuture<>();
    private final BlockingQueue<ByteBuffer> words = new ArrayBlockingQueue<>(4);
    private final Link link;

    private StreamPeer(String device, LinkMode mode, Socket socket) throws Exception {
        channel = new SocketSideChannel(socket);
        host = new LinkHost(device, VirtualFabric.providerOfStartedJvm(), device, mode, SLAB_BYTES);
        LinkOptions options = LinkOptions.defaults(mode)
                .withCandidates(List.of(new Candidate(MESSAGE_BYTES, WINDOW_BYTES)), Duration.ofSeconds(1));
        link = QueuePairLink.start(
                host.setup(message -> send(FOR_LINK, message), this, options, this::measureChecksum), host.poller());
        Thread reader = new Thread(this::read, "side-channel");
        reader.setDaemon(true);
        reader.start();
        up.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** @param arguments role, device, mode, gigabytes; the fetching one also the port that the serving one printed */
    public static void main(String[] arguments) throws Exception {
        LinkMode mode = LinkMode.valueOf(arguments[2]);
        try (Socket socket = arguments[0].equals("SERVE")
                ? accept()
                : new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[4]))) {
            StreamPeer peer = new StreamPeer(arguments[1], mode, socket);
            String line = arguments[0].equals("SERVE") ? peer.serve() : peer.fetch(Long.parseLong(arguments[3]));
            peer.link.close(System.nanoTime() + PATIENCE.toNanos());
            peer.ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            peer.host.close();
            System.out.println(line);
        }
    }

    /** On the poller, as in production by default. */
    private void measureChecksum(Runnable check) {
        long before = THREADS.getCurrentThreadCpuTime();
        check.run();
        checksumNanos += THREADS.getCurrentThreadCpuTime() - before;
    }

    private static Socket accept() throws IOException {
        try (ServerSocket meeting = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            System.out.println(meeting.getLocalPort());
            return meeting.accept();
        }
    }

    private String serve() throws Exception {
        Lease source = host.leaseFilled(RANGE_BYTES, 1);
        Offer offer = link.offer(RangePart.all(host.range(source)), null, () -> {});
        ByteBuffer encoded = ByteBuffer.allocate(offer.encodedBytes());
        offer.encode(encoded);
        Cpu before = cpu();
        send(WORD, encoded.flip());
        words.take();
        Cpu used = cpu().minus(before);
        source.release();
        return used.toString();
    }

    private String fetch(long gigabytes) throws Exception {
        Offer offer = Offer.decode(words.take());
        List<Lease> leases = List.of(host.lease(RANGE_BYTES), host.lease(RANGE_BYTES));
        stream(offer, leases, WARM_UP);
        double alone = checksumAlone(leases.get(0));
        long rounds = gigabytes * 1_000_000_000L / RANGE_BYTES;
        Cpu before = cpu();
        long start = System.nanoTime();
        stream(offer, leases, rounds);
        double seconds = (System.nanoTime() - start) / 1e9;
        Cpu used = cpu().minus(before);
        send(WORD, ByteBuffer.allocate(1));
        leases.forEach(Lease::release);
        double moved = rounds * RANGE_BYTES / 1e9;
        return used + " gigabytes " + moved + " seconds " + seconds + " checksumsAlonePerGigabyte " + alone;
    }

    private void stream(Offer offer, List<Lease> leases, long rounds) throws Exception {
        Semaphore free = new Semaphore(AT_ONCE);
        for (int i = 0; i < rounds; i++) {
            free.acquire();
            RangePart into = RangePart.all(host.range(leases.get(i % AT_ONCE)));
            link.fetch(offer.all(), into, System.nanoTime() + PATIENCE.toNanos(), new TransferListener() {
                @Override
                public void onVerified() {
                    free.release();
                }

                @Override
                public void onFailed(TransferFailure failure) {
                    throw new IllegalStateException(failure.toString());
                }
            });
        }
        free.acquire(AT_ONCE);
    }

    /** CPU seconds per gigabyte of the same checksum over memory that just arrived. */
    private static double checksumAlone(Lease lease) {
        CRC32C crc = new CRC32C();
        long start = THREADS.getCurrentThreadCpuTime();
        int rounds = 20;
        for (int round = 0; round < rounds; round++) {
            for (int at = 0; at < RANGE_BYTES; at += MESSAGE_BYTES) {
                MessageChecksums.of(crc, lease.view(at, MESSAGE_BYTES));
            }
        }
        return (THREADS.getCurrentThreadCpuTime() - start) / ((double) rounds * RANGE_BYTES);
    }

    private Cpu cpu() {
        double checks = checksumNanos / 1e9;
        return new Cpu(Cpu.of("test-poller") - checks, Cpu.of("side-channel"), Cpu.of("main"), checks);
    }

    /** CPU seconds of the Java threads that move bytes, by kind. */
    private record Cpu(double poller, double channel, double callers, double checksums) {

        Cpu minus(Cpu before) {
            return new Cpu(
                    poller - before.poller,
                    channel - before.channel,
                    callers - before.callers,
                    checksums - before.checksums);
        }

        private static double of(String prefix) {
            long sum = 0;
            for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
                if (thread != null && thread.getThreadName().startsWith(prefix)) {
                    sum += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
                }
            }
            return sum / 1e9;
        }

        @Override
        public String toString() {
            return "poller " + poller + " channel " + channel + " callers " + callers + " checksums " + checksums;
        }
    }

    private void send(byte tag, ByteBuffer message) {
        try {
            channel.send(ByteBuffer.allocate(1 + message.remaining())
                    .put(tag)
                    .put(message)
                    .flip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try {
            while (true) {
                ByteBuffer message = channel.receive();
                if (message.get() == FOR_LINK) {
                    link.onMessage(message);
                } else {
                    words.add(message);
                }
            }
        } catch (IOException e) {
            link.onChannelLost("the side channel ended: " + e.getMessage());
        }
    }

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
}
