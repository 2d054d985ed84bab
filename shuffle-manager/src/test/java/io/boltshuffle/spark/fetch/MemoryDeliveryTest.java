package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.client.ArrivedBytes;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.junit.jupiter.api.Test;

class MemoryDeliveryTest {

    private static final List<String> NAMES = List.of("first", "second");
    private static final int PIECE_BYTES = 100;
    private static final int PIECES = 20; // more than Netty joins without copying by default

    private final byte[] content = new byte[PIECES * PIECE_BYTES];
    private final ArrivedBytes arrived = new ArrivedBytes();
    private final Answers answers = new Answers();
    private final MemoryDelivery delivery = new MemoryDelivery(answers);

    MemoryDeliveryTest() {
        new SplittableRandom(1).nextBytes(content);
    }

    @Test
    void aWholeBlockIsReadWhereItArrivedAndGivenBackWithItsLastReference() {
        delivery.onSlice(new BlockSlice(0, 0, content.length, content.length), arrived.of(content, false));

        assertThat(answers.said).containsExactly("first delivered");
        assertThat(read(answers.kept())).isEqualTo(content);
        assertThat(arrived.held()).isOne();
        answers.kept().release();
        assertThat(arrived.held()).isZero();
    }

    @Test
    void aWholeBlockIsCopiedWhereTheAgentWantsItsMemoryBack() {
        delivery.onSlice(new BlockSlice(0, 0, content.length, content.length), arrived.of(content, true));

        assertThat(answers.said).containsExactly("first delivered");
        assertThat(arrived.held()).isZero();
        assertThat(read(answers.kept())).isEqualTo(content);
    }

    @Test
    void aBlockInPiecesStaysWhereItArrived() {
        pieces(0, 0, PIECES, false);

        assertThat(answers.said).containsExactly("first delivered");
        assertThat(arrived.held()).isEqualTo(PIECES);
        assertThat(answers.kept().size()).isEqualTo(content.length);
        assertThat(read(answers.kept())).isEqualTo(content);
        assertThat(nio(answers.kept())).isEqualTo(ByteBuffer.wrap(content));
        answers.kept().release();
        assertThat(arrived.held()).isZero();
        assertThatThrownBy(() -> answers.kept().createInputStream()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void piecesAreCopiedAndGivenBackOnceTheAgentIsShortOfMemory() {
        pieces(0, 0, 3, false);
        assertThat(arrived.held()).isEqualTo(3);

        pieces(0, 3, 4, true);
        assertThat(arrived.held()).isZero();
        pieces(0, 4, PIECES, false);

        assertThat(answers.said).containsExactly("first delivered");
        assertThat(arrived.held()).isZero();
        assertThat(read(answers.kept())).isEqualTo(content);
    }

    @Test
    void aBlockThatFailsHalfWayGivesItsPiecesBack() {
        pieces(0, 0, 3, false);

        delivery.onFailed(0, FailureReason.LINK_FAILED, "the cable was pulled");
        pieces(1, 0, PIECES, false);

        assertThat(answers.said).containsExactly("first handed back: LINK_FAILED", "second delivered");
        answers.kept().release();
        assertThat(arrived.held()).isZero();
    }

    @Test
    void aBlockThatNoArrayHoldsIsHandedBackOnceItMustBeCopied() {
        long huge = 3L << 30;
        delivery.onSlice(new BlockSlice(0, 0, PIECE_BYTES, huge), arrived.of(PIECE_BYTES));
        delivery.onSlice(new BlockSlice(0, PIECE_BYTES, PIECE_BYTES, huge), arrived.of(new byte[PIECE_BYTES], true));
        delivery.onSlice(new BlockSlice(0, 2 * PIECE_BYTES, PIECE_BYTES, huge), arrived.of(PIECE_BYTES));

        assertThat(answers.said).containsExactly("first handed back: TOO_LARGE");
        assertThat(arrived.held()).isZero();
    }

    private void pieces(int block, int from, int until, boolean wantedBack) {
        for (int piece = from; piece < until; piece++) {
            byte[] bytes = Arrays.copyOfRange(content, piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES);
            delivery.onSlice(
                    new BlockSlice(block, (long) piece * PIECE_BYTES, PIECE_BYTES, content.length),
                    arrived.of(bytes, wantedBack));
        }
    }

    private static byte[] read(ManagedBuffer buffer) {
        try (InputStream in = buffer.createInputStream()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuffer nio(ManagedBuffer buffer) {
        try {
            return buffer.nioByteBuffer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Keeps blocks, as a task does. */
    private static final class Answers implements RdmaTransport.Receiver {
        private final List<String> said = new ArrayList<>();
        private final List<ManagedBuffer> buffers = new ArrayList<>();

        ManagedBuffer kept() {
            return buffers.get(buffers.size() - 1);
        }

        @Override
        public void delivered(int block, ManagedBuffer buffer) {
            said.add(NAMES.get(block) + " delivered");
            buffers.add(buffer.retain());
        }

        @Override
        public void handedBack(int block, FallbackReason reason, String detail) {
            said.add(NAMES.get(block) + " handed back: " + reason);
        }
    }
}
