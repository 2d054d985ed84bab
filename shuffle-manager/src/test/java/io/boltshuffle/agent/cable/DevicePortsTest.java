package io.boltshuffle.agent.cable;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.conf.Settings;
import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.PoolClock;
import io.boltshuffle.rdma.memory.PoolLimits;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.wire.PortName;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shows what ports cost this host: threads and memory, over devices none of whose links come up. */
@Timeout(60)
class DevicePortsTest {

    private static final String THREAD = "bolt-port-rdma_fake";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final FakeVerbs verbs = new FakeVerbs();
    private volatile Instant now = Instant.parse("2026-11-28T14:05:00Z");
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private @Nullable Slab slab;
    private @Nullable LeasePool pool;
    private @Nullable DevicePorts ports;

    private DevicePorts start(long slabBytes) throws Exception {
        slab = Slab.create(SlabLocation.file(directory.resolve("slab")), slabBytes);
        pool = new LeasePool(slab, slabBytes, new PoolLimits(slabBytes, 64, 1024), PoolClock.of(timer), timer);
        // With a topology file the system is not asked about its cables.
        Settings settings = Settings.parse(Map.of("spark.boltshuffle.agent.topologyFile", "/topology"));
        ports = new DevicePorts(verbs, slab, pool, settings, () -> now);
        return ports;
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        try {
            if (ports != null && pool != null && slab != null) {
                ports.close();
                pool.close();
                slab.close();
            }
        } finally {
            timer.shutdownNow();
        }
    }

    @Test
    void aNameThatIsNoPortOfThisHostGetsNoThread() throws Exception {
        verbs.plug("rdma_fake1");
        DevicePorts some = start(1 << 20);
        some.discover().get();
        for (int i = 2; i < 50; i++) {
            CompletableFuture<ActiveLink> refused = open(some, "rdma_fake" + i, new End());
            assertThatThrownBy(refused::get).hasMessageContaining("not ACTIVE on this host");
        }
        assertThat(some.status()).isEmpty();
        assertThat(portThreads()).isEmpty();
    }

    @Test
    void aPlugThatComesBackByOtherNamesLeavesNothingOfTheOldOnes() throws Exception {
        DevicePorts some = start(1 << 20);
        for (int i = 0; i < 6; i++) {
            String name = "rdma_fake" + i;
            verbs.plug(name);
            some.discover().get();
            End end = new End();
            open(some, name, end).get();
            end.ended.get(20, SECONDS);
        }
        verbs.plug();
        some.discover().get();
        await().untilAsserted(() -> assertThat(portThreads()).isEmpty());
        assertThat(some.status()).isEmpty();
    }

    @Test
    void aPortThatIsBackSinceTheLastLookIsFound() throws Exception {
        DevicePorts some = start(1 << 20);
        some.discover().get();
        verbs.plug("rdma_fake1");
        End end = new End();
        open(some, "rdma_fake1", end).get();
        end.ended.get(20, SECONDS);
        assertThat(some.status()).extracting(PortStatus::device).containsExactly("rdma_fake1");
    }

    /** Its scratch memory has no room for a pattern, which is found out after the memory was taken. */
    @Test
    void aLinkThatCannotBeBuiltGivesItsMemoryBack() throws Exception {
        verbs.plug("rdma_fake1");
        DevicePorts some = start(128 << 10);
        CompletableFuture<ActiveLink> refused = open(some, "rdma_fake1", new End());
        assertThatThrownBy(refused::get).isInstanceOf(ExecutionException.class).hasMessageContaining("too small");
        assertThat(pool().snapshot().usedBytes()).isZero();
    }

    @Test
    void anErrorLeavesNoDeviceOpenAndNoQuestionUnanswered() throws Exception {
        verbs.plug("rdma_fake1");
        DevicePorts some = start(1 << 20);
        some.discover().get();
        verbs.breakDown(true);
        assertThatThrownBy(() -> some.discover().get(20, SECONDS)).hasCauseInstanceOf(OutOfMemoryError.class);
        CompletableFuture<ActiveLink> refused = open(some, "rdma_fake1", new End());
        assertThatThrownBy(() -> refused.get(20, SECONDS)).hasCauseInstanceOf(OutOfMemoryError.class);
        assertThat(verbs.openCount()).isZero();
        verbs.breakDown(false);
    }

    /** Each attempt would take regions from those who hold the rest of the device. */
    @Test
    void aDeviceThatOthersUsedUpIsLeftAloneUntilItIsTriedAgain() throws Exception {
        verbs.plug("rdma_fake1");
        DevicePorts some = start(1 << 20);
        some.discover().get();
        End end = new End();
        open(some, "rdma_fake1", end).get();
        end.ended.get(20, SECONDS);
        await().untilAsserted(() -> assertThat(verbs.openCount()).isZero());
        int looks = verbs.opened().size();
        String rest = "paused since 2026-11-28T14:05:00Z, and tried again from 2026-11-28T14:05:05Z on:"
                + " rdma_fake1 has no completion queues left";
        assertThat(some.status())
                .singleElement()
                .extracting(PortStatus::state)
                .asString()
                .startsWith(rest);

        now = now.plusSeconds(4);
        assertThatThrownBy(open(some, "rdma_fake1", new End())::get).hasMessageContaining(rest);
        assertThat(verbs.opened()).hasSize(looks);
        assertThatThrownBy(some.discover()::get)
                .hasCauseInstanceOf(RestingException.class)
                .hasMessageContaining(rest);
        verbs.plug("rdma_fake1", "rdma_fake2");
        assertThat(some.discover().get()).hasSize(2);
        looks = verbs.opened().size();

        now = now.plusSeconds(2);
        End next = new End();
        open(some, "rdma_fake1", next).get();
        next.ended.get(20, SECONDS);
        assertThat(verbs.opened()).hasSizeGreaterThan(looks);
        await().untilAsserted(() -> assertThat(some.status())
                .singleElement()
                .extracting(PortStatus::state)
                .asString()
                .startsWith("paused since 2026-11-28T14:05:00Z, and tried again from 2026-11-28T14:05:16Z on"));
    }

    @Test
    void linksInSetUpLeaveHalfOfTheSlab() throws Exception {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            names.add("rdma_fake" + i);
        }
        verbs.plug(names.toArray(String[]::new));
        CountDownLatch answers = new CountDownLatch(1);
        verbs.answerAfter(answers);
        DevicePorts some = start(1 << 20);
        List<End> ends = new ArrayList<>();
        try {
            for (String name : names.subList(0, 8)) {
                End end = new End();
                open(some, name, end).get();
                ends.add(end);
            }
            for (String name : names.subList(8, 12)) {
                assertThatThrownBy(open(some, name, new End())::get).hasMessageContaining("no more links");
            }
            assertThat(pool().snapshot().usedBytes()).isEqualTo(512 << 10);
        } finally {
            answers.countDown();
        }
        for (End end : ends) {
            end.ended.get(20, SECONDS);
        }
        End next = new End();
        await().untilAsserted(() -> assertThat(pool().snapshot().usedBytes()).isZero());
        open(some, names.get(11), next).get();
        next.ended.get(20, SECONDS);
    }

    private LeasePool pool() {
        if (pool == null) {
            throw new IllegalStateException("nothing was started");
        }
        return pool;
    }

    private static CompletableFuture<ActiveLink> open(DevicePorts ports, String device, LinkListener listener) {
        return ports.open(new PortName(device, 1), 1, message -> {}, listener);
    }

    private static List<String> portThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(THREAD))
                .toList();
    }

    private static final class End implements LinkListener {
        private final CompletableFuture<LinkState> ended = new CompletableFuture<>();

        @Override
        public void onUp(LinkReport report) {
            throw new AssertionError("came up without a queue pair");
        }

        @Override
        public void onDown(@Nullable LinkFailure failure) {
            assertThat(failure).isNotNull();
        }

        @Override
        public void onEnded(LinkState end) {
            ended.complete(end);
        }
    }
}
