package io.boltshuffle.agent.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.rdma.memory.RoomForSlabs;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AgentWatchTest {
    private static final FileTime OLD = FileTime.from(Instant.EPOCH);
    private static final Duration TURN = Duration.ofSeconds(1);

    private final Path directory;
    private final MeetingPlace place;
    private final WallClock clock = new WallClock();

    AgentWatchTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.place = MeetingPlace.open(directory.resolve("r"), "h");
        Files.createFile(place.agentLock());
        Files.createFile(place.socket());
    }

    /**
     * Its monotonic clock stands still meanwhile, and macOS removes what was not used for three days from {@code /tmp}.
     */
    @Test
    void whatBelongsToAnAgentLooksUsedAtOnceWhenAMachineHasSlept() throws Exception {
        RoomForSlabs.require(2 << 20);
        try (Slab slab = Slab.create(SlabLocation.file(directory.resolve("slab")), 1 << 20)) {
            AgentWatch watch = AgentWatch.start(place, slab, new Nothing(), clock);
            try {
                Files.setLastModifiedTime(place.agentLock(), OLD);

                clock.moveTo(Instant.EPOCH.plus(Duration.ofDays(4)));

                await().atMost(TURN.multipliedBy(20))
                        .untilAsserted(() -> assertThat(Files.getLastModifiedTime(place.agentLock()))
                                .isGreaterThan(OLD));
            } finally {
                watch.close();
            }
        }
    }

    @Test
    void allThatBelongsToAnAgentIsMadeToLookUsed() throws IOException {
        Path slab = Files.createFile(directory.resolve("slab"));
        List<Path> own = List.of(place.directory(), place.agentLock(), place.socket(), slab);
        for (Path path : own) {
            Files.setLastModifiedTime(path, OLD);
        }

        AgentWatch.touch(place, SlabLocation.file(slab));

        assertThat(own)
                .allSatisfy(path -> assertThat(Files.getLastModifiedTime(path)).isGreaterThan(OLD));
    }

    @Test
    void aLongLogIsMovedAside() throws IOException {
        byte[] much = new byte[(int) AgentWatch.MAX_LOG_BYTES + 1];
        try (OutputStream log =
                Files.newOutputStream(place.log(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            log.write(much);
            AgentWatch.keepLogShort(place);
            log.write('x');
        }
        assertThat(place.oldLog()).hasSize(much.length);
        assertThat(place.log()).hasContent("x");
        AgentWatch.keepLogShort(place);
        assertThat(place.log()).hasContent("x");
    }

    private static final class WallClock implements InstantSource {
        /** Set by the test's thread alone. */
        private volatile Instant now = Instant.EPOCH;

        void moveTo(Instant time) {
            now = time;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    private static final class Nothing implements AgentWatch.Listener {
        @Override
        public void onSocketGone() {
            throw new AssertionError("the socket is there");
        }

        @Override
        public void onLost(String what) {
            throw new AssertionError(what);
        }
    }
}
