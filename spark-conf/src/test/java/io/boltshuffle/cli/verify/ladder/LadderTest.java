package io.boltshuffle.cli.verify.ladder;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.Availability;
import io.boltshuffle.rdma.Device;
import io.boltshuffle.rdma.VerbsProvider;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.memory.RoomForSlabs;
import io.boltshuffle.rdma.verbs.JnaVerbsProvider;
import io.boltshuffle.rdma.verbs.VirtualFabric;
import io.boltshuffle.topology.mac.ThunderboltDevices;
import io.boltshuffle.topology.mac.ThunderboltPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
@Tag("slow")
class LadderTest {
    /** The ladder registers pieces of 8 MiB where a device takes no larger ones. */
    private static final long SLAB_OF_32_REGIONS = 256L << 20;

    private static final long SLABS_OF_BOTH_BYTES = 2L * (81 << 20);

    private final Path directory;
    private final ExecutorService climbers = Executors.newFixedThreadPool(2);

    LadderTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @AfterEach
    void end() {
        climbers.shutdownNow();
    }

    private VirtualFabric fabric(String mode) throws IOException {
        return VirtualFabric.of(
                directory, "profile apple", "mode " + mode, "host a", "host b", "cable c a:en5 b:en6", "port b:en9");
    }

    /** Some Macs are said to register no more than 12 MiB at once. */
    @Tag("ci")
    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void aDeviceOfSmallMemoryRegionsIsClimbedToTheTop(LinkMode mode) throws Exception {
        VirtualFabric fabric = VirtualFabric.of(
                directory,
                "profile apple",
                "mode " + (mode == LinkMode.SEND ? "uc" : "rc"),
                "option max_mr_bytes 12582912",
                "host a",
                "host b",
                "cable c a:en5 b:en6");
        Reports reports = climb(fabric.provider("a"), options(null, mode), fabric.provider("b"), options(null, mode));
        for (LadderReport report : List.of(reports.a(), reports.b())) {
            assertThat(report.rungs()).as(report.toString()).allMatch(Rung.Result::passed);
        }
    }

    /** It has 64 of a device's 100 memory regions and a queue pair of 10 or 3; we take 32 and one. */
    @Tag("ci")
    @ParameterizedTest
    @ValueSource(strings = {"26", "27"})
    void bothHostsReachTheTopBesideAProgramThatUsesTheCableAsMlxDoes(String os) throws Exception {
        RoomForSlabs.require(2 * SLAB_OF_32_REGIONS);
        VirtualFabric fabric = VirtualFabric.of(
                directory,
                "profile apple",
                "os " + os,
                "mode uc",
                "option max_mr_bytes 12582912",
                "host a",
                "host b",
                "cable c a:en5 b:en6");
        Process neighbour = fabric.startNeighbour("a:rdma_en5", "b:rdma_en6");
        try (BufferedReader said = neighbour.inputReader()) {
            assertThat(said.readLine()).isEqualTo("ready");
            LadderOptions large = withSlab(SLAB_OF_32_REGIONS);
            Reports reports = climb(fabric.provider("a"), large, fabric.provider("b"), large);
            for (LadderReport report : List.of(reports.a(), reports.b())) {
                assertThat(report.rungs()).as(report.toString()).allMatch(Rung.Result::passed);
            }
            neighbour.getOutputStream().close();
            assertThat(said.readLine()).endsWith(" rounds right");
            assertThat(neighbour.waitFor()).isZero();
        } finally {
            neighbour.destroyForcibly();
        }
    }

    private static LadderOptions withSlab(long bytes) {
        LadderOptions usual = options(null, LinkMode.SEND);
        return new LadderOptions(
                usual.device(),
                usual.port(),
                usual.mode(),
                usual.interfaceAddresses(),
                usual.messageSizes(),
                usual.pingPongRounds(),
                usual.streamTime(),
                usual.patience(),
                bytes,
                usual.deadlineScale(),
                usual.thunderbolt());
    }

    private static LadderOptions options(@Nullable String device, @Nullable LinkMode mode) {
        return options(device, mode, ThunderboltDevices.NONE);
    }

    private static LadderOptions options(
            @Nullable String device, @Nullable LinkMode mode, ThunderboltDevices thunderbolt) {
        return new LadderOptions(
                device,
                1,
                mode,
                Set.of(),
                List.of(4096, 65536),
                200,
                Duration.ofMillis(200),
                Duration.ofSeconds(30),
                LadderOptions.LEAST_SLAB_BYTES,
                1,
                thunderbolt);
    }

    private record Reports(LadderReport a, LadderReport b) {}

    private Reports climb(VerbsProvider a, LadderOptions onA, VerbsProvider b, LadderOptions onB) throws Exception {
        RoomForSlabs.require(SLABS_OF_BOTH_BYTES);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket toA = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket toB = server.accept()) {
            Future<LadderReport> first = climbers.submit(() -> Ladder.climb(a, new SideChannel(toB), onA, rung -> {}));
            Future<LadderReport> second = climbers.submit(() -> Ladder.climb(b, new SideChannel(toA), onB, rung -> {}));
            return new Reports(first.get(60, TimeUnit.SECONDS), second.get(60, TimeUnit.SECONDS));
        }
    }

    private static Rung.Result last(LadderReport report) {
        return report.rungs().get(report.rungs().size() - 1);
    }

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void bothHostsReachTheTop(LinkMode mode) throws Exception {
        VirtualFabric fabric = fabric(mode == LinkMode.SEND ? "uc" : "rc");
        Reports reports =
                climb(fabric.provider("a"), options(null, mode), fabric.provider("b"), options("rdma_en6", mode));

        for (LadderReport report : List.of(reports.a(), reports.b())) {
            assertThat(report.rungs()).as(report.toString()).allMatch(Rung.Result::passed);
            assertThat(report.reachedTheTop()).isTrue();
            assertThat(report.calibration()).isNotEmpty();
            assertThat(report.stream()).isNotNull();
            assertThat(report.cost()).isNotNull();
            assertThat(report.cost().fetching()).isPositive();
        }
        assertThat(reports.a().latency()).isNotNull().isEqualTo(reports.b().latency());
    }

    @Test
    void aMissingLibraryIsTheFirstRungAndTheOtherHostHearsOfIt() throws Exception {
        VerbsProvider missing = JnaVerbsProvider.ofFile(directory.resolve("no-such-library.so"));
        Reports reports = climb(missing, options(null, null), fabric("uc").provider("b"), options("rdma_en6", null));

        assertThat(last(reports.a()).rung()).isEqualTo(Rung.LIBRARY);
        assertThat(last(reports.a()).passed()).isFalse();
        assertThat(last(reports.a()).remedy()).isNotEmpty();
        assertThat(last(reports.b()).rung()).isEqualTo(Rung.LIBRARY);
        assertThat(last(reports.b()).detail()).contains("on the other host", "no-such-library");
    }

    @Test
    void aDeviceThatIsNotThereIsSaidWithThoseThatAre() throws Exception {
        VirtualFabric fabric = fabric("uc");
        Reports reports =
                climb(fabric.provider("a"), options("rdma_en7", null), fabric.provider("b"), options("rdma_en6", null));

        assertThat(last(reports.a()).rung()).isEqualTo(Rung.DEVICES);
        assertThat(last(reports.a()).detail()).contains("rdma_en7", "rdma_en5");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "rdma_en5")
    void aDeviceOnASlowLinkIsRefusedBeforeItIsOpened(@Nullable String wanted) throws Exception {
        VirtualFabric fabric = fabric("uc");
        ThunderboltPort slow = new ThunderboltPort(1, "A", 40, true, Optional.empty());
        ThunderboltDevices ports = new ThunderboltDevices(Map.of("rdma_en5", slow));
        Reports reports = climb(
                unopened(fabric.provider("a")),
                options(wanted, null, ports),
                fabric.provider("b"),
                options("rdma_en6", null));

        assertThat(last(reports.a()).rung()).isEqualTo(Rung.DEVICES);
        assertThat(last(reports.a()).detail()).contains("rdma_en5", "40 Gb/s", "RDMA needs 80");
    }

    private static VerbsProvider unopened(VerbsProvider real) {
        return new VerbsProvider() {
            @Override
            public String name() {
                return real.name();
            }

            @Override
            public Availability availability() {
                return real.availability();
            }

            @Override
            public List<String> deviceNames() {
                return List.of("rdma_en5");
            }

            @Override
            public Device open(String device) {
                throw new AssertionError(device + " was opened");
            }
        };
    }

    @Test
    void aPortWithoutCableStopsTheClimbWithARemedy() throws Exception {
        VirtualFabric fabric = fabric("uc");
        Reports reports =
                climb(fabric.provider("a"), options("rdma_en5", null), fabric.provider("b"), options("rdma_en9", null));

        assertThat(last(reports.b()).rung()).isEqualTo(Rung.PORT);
        assertThat(last(reports.b()).detail()).contains("rdma_en9", "DOWN", "check the cable");
        assertThat(reports.a().reachedTheTop()).isFalse();
    }

    @Test
    void aRefusedConnectionCarriesTheRemedyOfTheErrorGuide() throws Exception {
        VirtualFabric fabric = fabric("uc");
        VerbsProvider a = fabric.provider("a");
        VerbsProvider b = fabric.provider("b");
        fabric.control("port", "a:en5", "rtr", "96", "next", "1");
        Reports reports = climb(a, options("rdma_en5", null), b, options("rdma_en6", null));

        assertThat(last(reports.a()).rung()).isEqualTo(Rung.CONNECTION);
        assertThat(last(reports.a()).detail()).contains("RTR", "96");
        assertThat(last(reports.a()).remedy()).contains("restart");
        assertThat(last(reports.b()).rung()).isEqualTo(Rung.CONNECTION);
    }

    @Test
    void aCableThatFlipsBitsIsFoundByTheCheckedStream() throws Exception {
        VirtualFabric fabric = fabric("uc");
        VerbsProvider a = fabric.provider("a");
        VerbsProvider b = fabric.provider("b");
        fabric.control("cable", "c", "corrupt", "next", "1", "after", "5000");
        Reports reports = climb(a, options("rdma_en5", null), b, options("rdma_en6", null));

        assertThat(last(reports.a()).rung()).isEqualTo(Rung.CHECKED_STREAM);
        assertThat(reports.a().reachedTheTop()).isFalse();
        assertThat(reports.b().reachedTheTop()).isFalse();
    }

    @Test
    void aPeerThatHangsUpEndsTheClimb() throws Exception {
        VerbsProvider provider = fabric("uc").provider("a");
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
            server.accept().close();
            LadderReport report =
                    Ladder.climb(provider, new SideChannel(socket), options("rdma_en5", null), rung -> {});
            assertThat(last(report).passed()).isFalse();
            assertThat(last(report).detail()).contains("side channel");
        }
    }
}
