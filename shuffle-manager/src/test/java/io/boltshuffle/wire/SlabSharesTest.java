package io.boltshuffle.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlabSharesTest {

    @ParameterizedTest
    @ValueSource(longs = {64L << 20, 1L << 30, 64L << 30})
    void whatTasksHoldNeverKeepsFetchesOrPeersFromMemory(long slabBytes) {
        SlabShares shares = new SlabShares(slabBytes);

        assertThat(shares.stagedForPeers() + shares.heldByTasks()).isLessThan(slabBytes);
        assertThat(shares.heldByOneTask()).isLessThan(shares.heldByTasks());
        assertThat(shares.stagedForPeers() + shares.leasedByOneTask()).isLessThan(slabBytes);
    }

    /** A piece larger than what may be held is copied out at once; any other must find room beside those held. */
    @ParameterizedTest
    @ValueSource(longs = {64L << 20, 1L << 30, 64L << 30})
    void piecesOfALargeBlockNeverWaitForEachOther(long slabBytes) {
        SlabShares shares = new SlabShares(slabBytes);
        long largestHeld = shares.heldByOneTask();

        assertThat(largestHeld + shares.heldByOneTask()).isLessThanOrEqualTo(shares.leasedByOneTask());
    }

    @ParameterizedTest
    @ValueSource(longs = {64L << 20, 1L << 30, 64L << 30})
    void whatATaskReadsAheadLeavesRoomForWhatItReads(long slabBytes) {
        SlabShares shares = new SlabShares(slabBytes);

        assertThat(shares.readAhead()).isLessThan(shares.heldByOneTask()).isLessThan(shares.heldByTasks());
    }
}
