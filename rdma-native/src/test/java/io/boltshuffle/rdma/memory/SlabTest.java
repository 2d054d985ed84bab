package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlabTest {

    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @EnumSource
    void aReaderSeesWhatTheOwnerWritesAndCannotWrite(SlabLocation.Kind kind) throws SlabException {
        try (Slab slab = Slab.create(location(kind), 4 * MIB);
                SlabReader reader = SlabReader.map(slab.descriptor())) {
            ByteBuffer view = reader.view(3 * MIB, 8);
            slab.view(3 * MIB, 8).putLong(0x0123456789abcdefL);

            assertThat(view.getLong(0)).isEqualTo(0x0123456789abcdefL);
            assertThatExceptionOfType(ReadOnlyBufferException.class).isThrownBy(() -> view.putLong(0, 1));
        }
    }

    @Test
    void theFileIsForItsUserOnlyAndGoneAfterClose() throws IOException {
        SlabLocation location = location(SlabLocation.Kind.FILE);
        Path file = Path.of(location.name());
        try (Slab slab = Slab.create(location, MIB)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(Files.size(file)).isEqualTo(slab.bytes() + Slab.PAGE_BYTES);
        }
        assertThat(file).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(longs = {16 << 10, MIB, 2 * MIB, 3 * MIB, 40 * MIB})
    void theAddressIsAlignedToTheSizeSoThatNoPieceCrossesFourGibibytes(long bytes) throws SlabException {
        try (Slab slab = Slab.create(location(SlabLocation.Kind.FILE), bytes)) {
            long alignment = Math.max(2 * MIB, Long.highestOneBit(2 * bytes - 1));
            assertThat(slab.address() % alignment).isZero();
            assertThat(slab.address() >>> 32).isEqualTo((slab.address() + bytes - 1) >>> 32);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-16384, 0, 1, 4096, 16383, Slab.MAX_BYTES + Slab.PAGE_BYTES})
    void aSizeThatIsNoneIsRefused(long bytes) {
        SlabLocation location = location(SlabLocation.Kind.FILE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Slab.create(location, bytes))
                .withMessageContaining(String.valueOf(bytes));
    }

    @ParameterizedTest
    @EnumSource
    void aSlabLeftBehindByACrashedOwnerIsReplacedAndItsReadersKeepTheirs(SlabLocation.Kind kind) throws SlabException {
        SlabLocation location = location(kind);
        Slab crashed = Slab.create(location, MIB);
        crashed.view(0, 1).put((byte) 1);
        try (SlabReader early = SlabReader.map(crashed.descriptor());
                Slab successor = Slab.create(location, MIB)) {
            successor.view(0, 1).put((byte) 2);

            assertThat(early.view(0, 1).get()).isEqualTo((byte) 1);
            assertThatExceptionOfType(SlabException.class)
                    .isThrownBy(() -> SlabReader.map(crashed.descriptor()))
                    .withMessageContaining("its owner was replaced");
        } finally {
            crashed.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSlabThatIsGoneCannotBeMapped(SlabLocation.Kind kind) throws SlabException {
        Slab slab = Slab.create(location(kind), MIB);
        slab.close();
        assertThatExceptionOfType(SlabException.class)
                .isThrownBy(() -> SlabReader.map(slab.descriptor()))
                .withMessageContaining(slab.descriptor().location().name());
    }

    @Test
    void everyPartOfTheIdentityMustMatch() throws SlabException {
        try (Slab slab = Slab.create(location(SlabLocation.Kind.FILE), MIB)) {
            SlabDescriptor told = slab.descriptor();
            SlabLocation location = told.location();
            long high = told.identityHigh();
            long low = told.identityLow();
            for (SlabDescriptor other : List.of(
                    new SlabDescriptor(location, MIB - Slab.PAGE_BYTES, high, low),
                    new SlabDescriptor(location, MIB, high + 1, low),
                    new SlabDescriptor(location, MIB, high, low + 1))) {
                assertThatExceptionOfType(SlabException.class)
                        .isThrownBy(() -> SlabReader.map(other))
                        .withMessageContaining("not the announced slab");
            }
        }
    }

    @Test
    void aFileShorterThanAnnouncedIsRefusedInsteadOfFaultingLater() throws SlabException {
        try (Slab slab = Slab.create(location(SlabLocation.Kind.FILE), MIB)) {
            SlabDescriptor told = slab.descriptor();
            SlabDescriptor longer =
                    new SlabDescriptor(told.location(), 2 * MIB, told.identityHigh(), told.identityLow());
            assertThatExceptionOfType(SlabException.class)
                    .isThrownBy(() -> SlabReader.map(longer))
                    .withMessageContaining("were announced");
        }
    }

    @Test
    void aViewOutlivesCloseAndTheMemoryGoesWithTheLastView() throws SlabException {
        Slab slab = Slab.create(location(SlabLocation.Kind.FILE), MIB);
        SlabReader reader = SlabReader.map(slab.descriptor());
        slab.view(0, 4).putInt(42);
        ByteBuffer view = reader.view(0, 4);
        reader.close();
        slab.close();

        assertThat(view.getInt(0)).isEqualTo(42);
        assertThatIllegalStateException().isThrownBy(() -> reader.view(0, 4));
        assertThat(isMapped(slab)).isTrue();
        view = ByteBuffer.allocate(4);
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            System.gc();
            return !isMapped(slab);
        });
        assertThat(view.getInt(0)).isZero();
    }

    @Test
    void aSlabThatIsHeldLosesItsNameButKeepsItsMemory() throws SlabException {
        Slab slab = Slab.create(location(SlabLocation.Kind.FILE), MIB);
        slab.hold("a device");
        assertThatIllegalStateException().isThrownBy(slab::close).withMessageContaining("a device");
        assertThat(Path.of(slab.descriptor().location().name())).doesNotExist();
        assertThat(slab.view(0, 1).get(0)).isZero();
        slab.letGo("a device");
        slab.close();
        assertThatIllegalStateException().isThrownBy(() -> slab.hold("a device"));
    }

    @Test
    void viewsOfALargeSlabReachEverywhere() throws SlabException {
        long gib = 1L << 30;
        try (Slab slab = TestSlabs.createSparse(5 * gib);
                SlabReader reader = SlabReader.map(slab.descriptor())) {
            assertThat(slab.address() % gib).isZero();
            for (long offset : new long[] {0, gib - 8, gib, 2 * gib - 4, 4 * gib - 4, 4 * gib + 4, 5 * gib - 8}) {
                slab.view(offset, 8).putLong(offset + 1);
                assertThat(NativeMapping.bufferAt(slab.address() + offset, 8)
                                .order(ByteOrder.BIG_ENDIAN)
                                .getLong())
                        .isEqualTo(offset + 1);
                assertThat(reader.view(offset, 8).getLong()).isEqualTo(offset + 1);
            }
            long across = 4 * gib - 4;
            assertThat(reader.view(across - gib + 8, (int) gib).getLong((int) gib - 8))
                    .isEqualTo(across + 1);
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> reader.view(0, (int) gib + 1))
                    .withMessageContaining("at most");
        }
    }

    @Test
    void closingAgainDoesNotTakeTheNameOfASuccessor() throws SlabException {
        Slab first = Slab.create(location(SlabLocation.Kind.FILE), MIB);
        first.hold("a device");
        assertThatIllegalStateException().isThrownBy(first::close);
        try (Slab successor = Slab.create(first.descriptor().location(), MIB)) {
            first.letGo("a device");
            first.close();
            SlabReader.map(successor.descriptor()).close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSlabWhoseNameIsGoneIsDamaged(SlabLocation.Kind kind) throws SlabException {
        SlabLocation location = location(kind);
        try (Slab slab = Slab.create(location, MIB)) {
            assertThat(slab.damage()).isEmpty();
            Slab.removeLeft(location);
            assertThat(slab.damage())
                    .hasValueSatisfying(what -> assertThat(what).contains("cannot be found"));
        }
    }

    /** Here a path that leads round in circles stands for all that a system may say but that there is no such file. */
    @Test
    void aSlabThatCannotBeLookedAtIsNotSaidToBeDamaged(@TempDir Path directory) throws IOException {
        Path inside = Files.createDirectory(directory.resolve("slabs"));
        try (Slab slab = Slab.create(SlabLocation.file(inside.resolve("slab")), MIB)) {
            Path moved = Files.move(inside, directory.resolve("moved"));
            Files.createSymbolicLink(inside, inside);

            assertThat(slab.damage()).isEmpty();

            Files.delete(inside);
            assertThat(slab.damage()).isPresent();
            Files.move(moved, inside);
            assertThat(slab.damage()).isEmpty();
        }
    }

    @Test
    void namesThatOnlyOnePlatformWouldTakeAreRefused() {
        for (String name : List.of("", "a/b", "x".repeat(31))) {
            assertThatIllegalArgumentException().isThrownBy(() -> SlabLocation.preferred(name));
            assertThatIllegalArgumentException().isThrownBy(() -> SlabLocation.posixSharedMemory("/" + name));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new SlabLocation(SlabLocation.Kind.FILE, "relative"));
    }

    @Test
    void rangesOutsideTheSlabAreRefused() throws SlabException {
        try (Slab slab = Slab.create(location(SlabLocation.Kind.FILE), MIB);
                SlabReader reader = SlabReader.map(slab.descriptor())) {
            for (long[] range : new long[][] {{-1, 1}, {MIB, 1}, {MIB - 1, 2}, {0, -1}, {Long.MAX_VALUE, 1}}) {
                assertThatExceptionOfType(IndexOutOfBoundsException.class)
                        .isThrownBy(() -> slab.view(range[0], (int) range[1]));
                assertThatExceptionOfType(IndexOutOfBoundsException.class)
                        .isThrownBy(() -> reader.view(range[0], (int) range[1]));
            }
            assertThat(slab.view(MIB, 0).remaining()).isZero();
        }
    }

    private static boolean isMapped(Slab slab) {
        try {
            return Files.readString(Path.of("/proc/self/maps"))
                    .contains(slab.descriptor().location().name());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SlabLocation location(SlabLocation.Kind kind) {
        return TestSlabs.location(kind);
    }
}
