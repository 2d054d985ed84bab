package io.boltshuffle.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameAssemblerTest {

    @Test
    void framesComeOutWholeHoweverTheStreamIsCut() throws WireException {
        ByteBuffer stream = ByteBuffer.allocate(1 << 16);
        SampleMessages.BETWEEN_AGENTS.forEach(message -> stream.put(ControlMessage.CODEC.encode(message)));
        stream.flip();
        Random random = new Random(5);
        FrameAssembler assembler = new FrameAssembler();
        List<ControlMessage> seen = new ArrayList<>();
        while (stream.hasRemaining()) {
            ByteBuffer piece = piece(stream, 1 + random.nextInt(40));
            for (ByteBuffer frame = assembler.next(piece); frame != null; frame = assembler.next(piece)) {
                seen.add(ControlMessage.CODEC.decode(frame));
            }
        }
        assertThat(seen).isEqualTo(SampleMessages.BETWEEN_AGENTS);
        assertThat(assembler.atFrameBorder()).isTrue();
    }

    @Test
    void anAnnouncedLengthBeyondTheLimitIsRefused() {
        for (int length : new int[] {Integer.MIN_VALUE, -1, 0, WireLimits.MAX_FRAME_BYTES + 1, Integer.MAX_VALUE}) {
            ByteBuffer announced = ByteBuffer.allocate(Integer.BYTES).putInt(0, length);
            assertThatThrownBy(() -> new FrameAssembler().next(announced))
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining(Integer.toString(length));
        }
    }

    @Test
    void aStreamThatEndsInsideAFrameIsNotAtABorder() throws WireException {
        FrameAssembler assembler = new FrameAssembler();
        ByteBuffer frame = ControlMessage.CODEC.encode(new ControlMessage.Free(1));
        assertThat(assembler.next(piece(frame, 6))).isNull();
        assertThat(assembler.atFrameBorder()).isFalse();
    }

    @Test
    void theLargestFrameArrives() throws WireException {
        ByteBuffer largest = ByteBuffer.allocate(Integer.BYTES + WireLimits.MAX_FRAME_BYTES);
        largest.putInt(0, WireLimits.MAX_FRAME_BYTES);
        ByteBuffer frame = new FrameAssembler().next(largest);
        assertThat(frame).isNotNull();
        assertThat(frame.remaining()).isEqualTo(WireLimits.MAX_FRAME_BYTES);
    }

    private static ByteBuffer piece(ByteBuffer stream, int bytes) {
        int length = Math.min(bytes, stream.remaining());
        ByteBuffer piece = stream.slice(stream.position(), length);
        stream.position(stream.position() + length);
        return piece;
    }
}
