package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.VerbsException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlabRegistrationTest {

    private static final long MIB = 1 << 20;
    private static final long SLAB_BYTES = 20 * MIB;
    private static final String DEVICE = "rdma_en5";

    private final Slab slab = TestSlabs.create(SLAB_BYTES);
    private final FakeProtectionDomain domain = new FakeProtectionDomain();

    @AfterEach
    void closeSlab() throws SlabException {
        slab.close();
    }

    @Test
    void oneRegionIsEnoughWhenTheDeviceTakesIt() throws VerbsException {
        try (SlabRegistration registration = register(RegistrationRequest.forSendMode())) {
            assertThat(registration.pieces()).isEqualTo(1);
            assertThat(registration.access()).containsExactly(AccessFlag.LOCAL_WRITE);
            assertThat(domain.asked).hasSize(1);
        }
        assertThat(domain.open).isEmpty();
    }

    @ParameterizedTest(name = "a device that takes {0} bytes gets pieces of {1} MiB")
    @CsvSource({"16777216, 16, 2", "16384000, 8, 3", "8388608, 8, 3", "12582912, 8, 3"})
    void theLargestPieceThatTheDeviceTakesIsFoundByTrying(long maxRegionBytes, long pieceMib, int pieces)
            throws VerbsException {
        domain.maxRegionBytes = maxRegionBytes;
        try (SlabRegistration registration = register(RegistrationRequest.forSendMode())) {
            assertThat(registration.pieceBytes()).isEqualTo(pieceMib * MIB);
            assertThat(registration.pieces()).isEqualTo(pieces);
            assertThat(domain.open.stream()
                            .mapToLong(FakeProtectionDomain.Region::length)
                            .sum())
                    .isEqualTo(SLAB_BYTES);
        }
    }

    /** The device that the test has refuses what crosses a 4 GiB-aligned address. */
    @Test
    void piecesOfALargeSlabNeverCrossFourGibibytes() throws Exception {
        try (Slab large = TestSlabs.createSparse(9L << 30);
                SlabRegistration registration =
                        SlabRegistration.register(large, domain, DEVICE, RegistrationRequest.forSendMode())) {
            assertThat(registration.pieceBytes()).isEqualTo(1L << 30);
            assertThat(registration.pieces()).isEqualTo(9);
            assertThat(registration.localKey((9L << 30) - 1))
                    .isEqualTo(domain.open.get(8).localKey());
        }
    }

    /** There is no other choice to fall back to. */
    @Test
    void readersRegisterTheSlabForTheirOwnUseOnly() {
        domain.refusedAccess = Set.of(AccessFlag.LOCAL_WRITE);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> register(RegistrationRequest.forReadersOwnUse()));

        assertThat(domain.asked)
                .isNotEmpty()
                .allSatisfy(asked -> assertThat(asked.access()).containsExactly(AccessFlag.LOCAL_WRITE));
    }

    @Test
    void keysAreThoseOfThePieceAtTheOffset() throws VerbsException {
        domain.maxRegionBytes = 8 * MIB;
        try (SlabRegistration registration = register(RegistrationRequest.forReadMode())) {
            for (long offset : new long[] {0, 8 * MIB - 1, 8 * MIB, 16 * MIB, SLAB_BYTES - 1}) {
                FakeProtectionDomain.Region piece = domain.open.get((int) (offset / (8 * MIB)));
                assertThat(slab.address() + offset).isBetween(piece.address(), piece.address() + piece.length() - 1);
                assertThat(registration.localKey(offset)).isEqualTo(piece.localKey());
                assertThat(registration.remoteKey(offset)).isEqualTo(piece.remoteKey());
                assertThat(registration.bytesToPieceEnd(offset))
                        .isEqualTo(piece.address() + piece.length() - slab.address() - offset);
            }
        }
    }

    @Test
    void allRightsAreTriedWhenTheLeastAreRefused() throws VerbsException {
        domain.refusedAccess = Set.of(AccessFlag.LOCAL_WRITE);
        try (SlabRegistration registration = register(RegistrationRequest.forSendMode())) {
            assertThat(registration.access())
                    .containsExactlyInAnyOrder(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
        }
    }

    @Test
    void aSlabTooLargeForTheBudgetIsRefusedWithTheSizeThatWouldFit() {
        domain.maxRegionBytes = 8 * MIB;
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> register(
                        request(RegistrationRequest.LARGEST_PIECE_BYTES, RegistrationRequest.SMALLEST_PIECE_BYTES, 2)))
                .withMessageContaining(DEVICE)
                .withMessageContaining("EINVAL")
                .withMessageContaining(String.valueOf(16 * MIB))
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(22));
        assertThat(domain.open).isEmpty();
    }

    @Test
    void aBudgetThatRunsOutHalfWayIsGivenBack() {
        domain.maxRegionBytes = 8 * MIB;
        domain.maxRegions = 2;
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> register(RegistrationRequest.forSendMode()))
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(12));
        assertThat(domain.open).isEmpty();
        assertThat(slab.leakedRegions()).isZero();
    }

    @Test
    void piecesAreClosedInReverse() throws VerbsException {
        domain.maxRegionBytes = 8 * MIB;
        register(RegistrationRequest.forSendMode()).close();
        assertThat(domain.closed)
                .extracting(FakeProtectionDomain.Region::address)
                .containsExactly(slab.address() + 16 * MIB, slab.address() + 8 * MIB, slab.address());
    }

    @Test
    void theSlabCannotBeClosedWhileRegistered() throws VerbsException {
        try (SlabRegistration registration = register(RegistrationRequest.forSendMode())) {
            assertThatIllegalStateException().isThrownBy(slab::close).withMessageContaining(DEVICE);
            assertThat(registration.pieces()).isPositive();
        }
    }

    @Test
    void aRegionThatWillNotGoLeaksItsMemoryOnPurposeAndTheOthersGo() throws Exception {
        domain.maxRegionBytes = 8 * MIB;
        SlabRegistration registration = register(RegistrationRequest.forSendMode());
        domain.refusesToCloseKey = registration.localKey(8 * MIB);

        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(registration::close)
                .withMessageContaining("EBUSY");

        assertThat(domain.open).hasSize(1);
        assertThat(slab.leakedRegions()).isEqualTo(1);
        try (LeasePool pool = new LeasePool(slab, MIB, new PoolLimits(MIB, 1, 1), new VirtualClock(), Runnable::run)) {
            assertThat(pool.snapshot().leakedRegions()).isEqualTo(1);
        }
        registration.close();
        slab.close();
        assertThat(slab.view(0, 1).get()).as("still mapped").isZero();
    }

    @Test
    void aRegistrationThatHangsMaySucceedYetSoTheMemoryStays() throws Exception {
        domain.hangsAtRequest = 1;

        assertThatExceptionOfType(DeviceStuckException.class)
                .isThrownBy(() -> register(RegistrationRequest.forSendMode()));

        assertThat(domain.asked)
                .as("nothing else is asked of a device that hangs")
                .hasSize(1);
        assertThat(slab.leakedRegions()).isEqualTo(1);
        slab.close();
        assertThat(slab.view(0, 1).get()).as("still mapped").isZero();
    }

    @Test
    void whatADeviceHadTakenBeforeItHungStaysToo() throws Exception {
        domain.maxRegionBytes = 8 * MIB;
        int refusedFirst = 2 * RegistrationRequest.forSendMode().accessChoices().size();
        domain.hangsAtRequest = refusedFirst + 2;

        assertThatExceptionOfType(DeviceStuckException.class)
                .isThrownBy(() -> register(RegistrationRequest.forSendMode()));

        assertThat(slab.leakedRegions())
                .as("one that it has and one that it may have")
                .isEqualTo(2);
    }

    @Test
    void requestsThatMakeNoSenseAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> request(3 * MIB, MIB, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> request(MIB, 2 * MIB, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> request(MIB, 4096, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> request(MIB, MIB, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new RegistrationRequest(MIB, MIB, 1, List.of()));
    }

    private static RegistrationRequest request(long largestPieceBytes, long smallestPieceBytes, int maxRegions) {
        return new RegistrationRequest(
                largestPieceBytes,
                smallestPieceBytes,
                maxRegions,
                RegistrationRequest.forSendMode().accessChoices());
    }

    private SlabRegistration register(RegistrationRequest request) throws VerbsException {
        return SlabRegistration.register(slab, domain, DEVICE, request);
    }
}
