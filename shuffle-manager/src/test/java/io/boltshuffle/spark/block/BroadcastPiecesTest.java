package io.boltshuffle.spark.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.wire.LiveBlock;
import org.junit.jupiter.api.Test;

class BroadcastPiecesTest {

    private final BroadcastPieces pieces = new BroadcastPieces();

    private boolean mayBeTheOnly(LiveBlock.Kind kind, long id, int part) {
        return pieces.mayBeTheOnly(new LiveBlock(kind, id, part));
    }

    private boolean mayBeTheOnlyPiece(long broadcast, int piece) {
        return mayBeTheOnly(LiveBlock.Kind.BROADCAST_PIECE, broadcast, piece);
    }

    @Test
    void theFirstPieceMayBeTheOnlyOneUntilAnotherIsAskedFor() {
        assertThat(mayBeTheOnlyPiece(1, 0)).isTrue();
        assertThat(mayBeTheOnlyPiece(1, 3)).isFalse();
        assertThat(mayBeTheOnlyPiece(1, 0)).isFalse();
        assertThat(mayBeTheOnlyPiece(2, 0)).isTrue();
    }

    @Test
    void onlyBroadcastsHavePieces() {
        assertThat(mayBeTheOnly(LiveBlock.Kind.RDD_PARTITION, 1, 0)).isFalse();
        assertThat(mayBeTheOnly(LiveBlock.Kind.TASK_RESULT, 1, 0)).isFalse();
    }

    @Test
    void theOldestBroadcastIsForgottenAfterManyOthers() {
        for (int broadcast = 0; broadcast <= BroadcastPieces.REMEMBERED; broadcast++) {
            mayBeTheOnlyPiece(broadcast, 1);
        }

        assertThat(mayBeTheOnlyPiece(0, 0)).isTrue();
        assertThat(mayBeTheOnlyPiece(1, 0)).isFalse();
    }
}
