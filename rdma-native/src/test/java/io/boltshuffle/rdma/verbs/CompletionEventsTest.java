package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.CompletionWait;
import io.boltshuffle.rdma.QueuePairType;
import io.boltshuffle.rdma.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Completion channels through the binding, on a virtual cable whose ports have them. */
@Timeout(60)
class CompletionEventsTest {

    private static final int BYTES = 4096;
    private static final long LONG = TimeUnit.SECONDS.toNanos(30);
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(50);

    private final JnaVerbsProvider provider;
    private final TestEndpoint receiver;
    private final TestEndpoint sender;
    private final CompletionWait wait;

    CompletionEventsTest(@TempDir Path directory) throws Exception {
        provider = VirtualFabric.of(directory, "profile linux", "host a", "cable c a:en5 a:en6")
                .provider("a");
        receiver = new TestEndpoint(provider, "rdma_en5", QueuePairType.RELIABLE_CONNECTED, 1 << 20);
        sender = new TestEndpoint(provider, "rdma_en6", QueuePairType.RELIABLE_CONNECTED, 1 << 20);
        receiver.initialize();
        sender.initialize();
        receiver.connect(sender.address());
        sender.connect(receiver.address());
        wait = Objects.requireNonNull(receiver.device.openCompletionWait());
    }

    @AfterEach
    void close() throws VerbsException {
        wait.close();
        receiver.close();
        sender.close();
    }

    private void moveOne() throws VerbsException {
        receiver.receive(1, 0, BYTES);
        sender.send(2, 0, BYTES);
    }

    /** Returns how long it slept, in nanoseconds. */
    private long sleep(long nanos, CompletionQueue... queues) throws VerbsException {
        long before = System.nanoTime();
        wait.await(List.of(queues), nanos);
        return System.nanoTime() - before;
    }

    @Test
    void aCompletionEndsTheSleep() throws Exception {
        assertThat(receiver.completionQueue.isAnnounced()).isTrue();
        receiver.completionQueue.arm();
        CompletableFuture<Void> moved = CompletableFuture.runAsync(
                () -> {
                    try {
                        moveOne();
                    } catch (VerbsException e) {
                        throw new AssertionError(e);
                    }
                },
                CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));

        assertThat(sleep(LONG, receiver.completionQueue)).isLessThan(LONG);

        moved.join();
        assertThat(receiver.completionQueue.poll(receiver.completions)).isEqualTo(1);
    }

    @Test
    void anyOfSeveralQueuesEndsTheSleep() throws Exception {
        receiver.completionQueue.arm();
        sender.completionQueue.arm();
        moveOne();
        long both = 0;
        while (both < 2) {
            assertThat(sleep(LONG, receiver.completionQueue, sender.completionQueue))
                    .isLessThan(LONG);
            both = receiver.completionQueue.poll(receiver.completions)
                    + sender.completionQueue.poll(sender.completions)
                    + both;
        }
    }

    @Test
    void whatCameBeforeTheQueueWasArmedIsNotAnnouncedSoOneLooksOnceMore() throws Exception {
        moveOne();
        sender.awaitCompletions();
        receiver.completionQueue.arm();

        assertThat(sleep(SHORT, receiver.completionQueue)).isGreaterThanOrEqualTo(SHORT);

        assertThat(receiver.completionQueue.poll(receiver.completions)).isEqualTo(1);
    }

    @Test
    void anAnnouncementIsAskedForAnewEachTime() throws Exception {
        for (int i = 0; i < 3; i++) {
            receiver.completionQueue.arm();
            receiver.completionQueue.arm();
            moveOne();
            assertThat(sleep(LONG, receiver.completionQueue)).isLessThan(LONG);
            receiver.awaitCompletions();
            sender.awaitCompletions();
        }
        moveOne();
        assertThat(sleep(SHORT, receiver.completionQueue)).isGreaterThanOrEqualTo(SHORT);
    }

    @Test
    void whoWakesEndsTheSleepThatIsUnderWayOrTheNextOne() throws Exception {
        receiver.completionQueue.arm();
        wait.wake();
        assertThat(sleep(LONG, receiver.completionQueue)).isLessThan(LONG);
        CompletableFuture<Void> woken =
                CompletableFuture.runAsync(wait::wake, CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));

        assertThat(sleep(LONG, receiver.completionQueue)).isLessThan(LONG);

        woken.join();
        assertThat(sleep(SHORT, receiver.completionQueue))
                .as("each wake ends one sleep")
                .isGreaterThanOrEqualTo(SHORT);
    }

    @Test
    void whatIsAnnouncedAndNotTakenDoesNotKeepAQueueFromClosing() throws Exception {
        receiver.completionQueue.arm();
        moveOne();
        sender.awaitCompletions();
        receiver.awaitCompletions();
    }

    @Test
    void afterItsEndItIsNotWokenAndItsDescriptorIsGone() throws Exception {
        long before = openDescriptors();
        CompletionWait other = Objects.requireNonNull(receiver.device.openCompletionWait());
        assertThat(openDescriptors()).isEqualTo(before + 1);
        other.close();
        other.wake();
        other.close();
        assertThat(openDescriptors()).isEqualTo(before);
    }

    private static long openDescriptors() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.count();
        }
    }

    @Test
    void aClosedQueueIsNeitherArmedNorSleptOn() throws Exception {
        TestEndpoint other = new TestEndpoint(provider, "rdma_en5", QueuePairType.RELIABLE_CONNECTED, 1 << 20);
        long before = openDescriptors();
        other.close();

        assertThatIllegalStateException().isThrownBy(other.completionQueue::arm);
        assertThatIllegalStateException().isThrownBy(() -> sleep(SHORT, other.completionQueue));
        assertThat(openDescriptors()).as("with its channel").isLessThan(before);
    }

    @Test
    void aQueueWithoutAChannelIsPolled() throws Exception {
        try (CompletionQueue plain = receiver.device.createCompletionQueue(10)) {
            assertThat(plain.isAnnounced()).isFalse();
            assertThatIllegalStateException().isThrownBy(plain::arm);
            assertThatThrownBy(() -> sleep(SHORT, plain)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void applesPortsAnnounceNothing(@TempDir Path directory) throws Exception {
        JnaVerbsProvider apple =
                VirtualFabric.of(directory, "host b", "cable c b:en5 b:en6").provider("b");
        TestEndpoint port = new TestEndpoint(apple, "rdma_en5", QueuePairType.UNRELIABLE_CONNECTED, 1 << 20);

        assertThat(port.completionQueue.isAnnounced()).isFalse();
        assertThat(port.device.openCompletionWait()).isNull();

        port.close();
    }

    /** Some drivers of Linux have no completion channel, and say so only when one is asked for. */
    @Test
    void aDeviceThatRefusesAChannelIsPolled(@TempDir Path directory) throws Exception {
        JnaVerbsProvider without = VirtualFabric.of(
                        directory, "profile linux", "option completion_events off", "host b", "cable c b:en5 b:en6")
                .provider("b");
        TestEndpoint port = new TestEndpoint(without, "rdma_en5", QueuePairType.RELIABLE_CONNECTED, 1 << 20);

        assertThat(port.completionQueue.isAnnounced()).isFalse();

        port.close();
    }
}
