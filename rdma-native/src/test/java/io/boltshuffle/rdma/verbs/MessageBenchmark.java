package io.boltshuffle.rdma.verbs;

import io.boltshuffle.rdma.CompletionStatus;
import io.boltshuffle.rdma.QueuePairType;
import io.boltshuffle.rdma.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Shows what a message costs over the virtual Thunderbolt, both ends on this one thread. The emulator's copying runs on
 * its own threads; run with {@code -prof gc} to see that the binding allocates nothing.
 */
@NullUnmarked // JMH fills the fields before anything reads them
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MessageBenchmark {

    private static final int CHAIN = 16;
    private static final int FRAME = 4096;

    private Path directory;
    private TestEndpoint left;
    private TestEndpoint right;

    @Setup
    public void connect() throws IOException {
        directory = Files.createTempDirectory("message-benchmark");
        JnaVerbsProvider provider = VirtualFabric.of(directory, "profile apple", "host a", "cable c a:en5 a:en6")
                .provider("a");
        left = new TestEndpoint(provider, "rdma_en5", QueuePairType.UNRELIABLE_CONNECTED, CHAIN * FRAME);
        right = new TestEndpoint(provider, "rdma_en6", QueuePairType.UNRELIABLE_CONNECTED, CHAIN * FRAME);
        left.initialize();
        right.initialize();
        left.connect(right.address());
        right.connect(left.address());
    }

    @TearDown
    public void close() throws IOException {
        left.close();
        right.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** A poll that finds nothing: what an idle poller repeats. */
    @Benchmark
    public int emptyPoll() throws VerbsException {
        return left.completionQueue.poll(left.completions);
    }

    /** One message at a time: receive posted, send posted, both completions taken. */
    @Benchmark
    public void single() throws VerbsException {
        right.receive(1, 0, FRAME);
        left.send(2, 0, FRAME);
        take(left, 1);
        take(right, 1);
    }

    /** The same by chains of 16, per message. */
    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public void chained() throws VerbsException {
        for (int i = 0; i < CHAIN; i++) {
            right.receives.addReceive(i, right.at(i * FRAME), FRAME, right.region.localKey());
            left.sends.addSend(i, left.at(i * FRAME), FRAME, left.region.localKey());
        }
        right.queuePair.post(right.receives);
        left.queuePair.post(left.sends);
        take(left, CHAIN);
        take(right, CHAIN);
    }

    /** There and back: half of it is the latency of a message. */
    @Benchmark
    public void pingPong() throws VerbsException {
        right.receive(1, 0, FRAME);
        left.receive(2, 0, FRAME);
        left.send(3, 0, FRAME);
        take(right, 1);
        right.send(4, 0, FRAME);
        take(left, 2);
        take(right, 1);
    }

    private static void take(TestEndpoint endpoint, int count) throws VerbsException {
        int taken = 0;
        while (taken < count) {
            int found = endpoint.completionQueue.poll(endpoint.completions);
            for (int i = 0; i < found; i++) {
                int status = endpoint.completions.status(i);
                if (status != 0) {
                    throw new AssertionError(CompletionStatus.of(status));
                }
            }
            taken += found;
            if (found == 0) {
                Thread.onSpinWait();
            }
        }
    }
}
