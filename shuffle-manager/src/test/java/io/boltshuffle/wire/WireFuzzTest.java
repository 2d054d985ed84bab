package io.boltshuffle.wire;

import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** Damages what comes by the sockets of executors, of agents, and between agents. */
@Tag("slow")
class WireFuzzTest extends FuzzContract {

    /** The bytes that one read of a socket brings at most, so that frames are cut anywhere. */
    private static final int READ_BYTES = 7;

    @Override
    protected Stream<FuzzTarget> targets() {
        return Stream.of(
                target(
                        "to-agent",
                        ExecutorMessage.CODEC::decode,
                        messages(SampleMessages.TO_AGENT.stream().map(ExecutorMessage.CODEC::encode))),
                target(
                        "to-executor",
                        AgentMessage.CODEC::decode,
                        messages(SampleMessages.TO_EXECUTOR.stream().map(AgentMessage.CODEC::encode))),
                target(
                        "between-agents",
                        ControlMessage.CODEC::decode,
                        messages(SampleMessages.BETWEEN_AGENTS.stream().map(ControlMessage.CODEC::encode))),
                new FuzzTarget("stream", WireFuzzTest::readStream, streams(), Set.of(WireException.class)));
    }

    private static FuzzTarget target(String name, Sample.Decoder decoder, List<byte[]> messages) {
        return new FuzzTarget(
                name, input -> decoder.decode(ByteBuffer.wrap(input)), messages, Set.of(WireException.class));
    }

    private static List<byte[]> messages(Stream<ByteBuffer> frames) {
        return frames.map(CodecTest::body).map(WireFuzzTest::bytes).toList();
    }

    /** The messages of one direction one after the other, with their lengths. */
    private static List<byte[]> streams() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        SampleMessages.BETWEEN_AGENTS.forEach(message -> all.writeBytes(bytes(ControlMessage.CODEC.encode(message))));
        return List.of(all.toByteArray());
    }

    private static void readStream(byte[] input) throws WireException {
        FrameAssembler assembler = new FrameAssembler();
        for (int at = 0; at < input.length; at += READ_BYTES) {
            ByteBuffer read = ByteBuffer.wrap(input, at, Math.min(READ_BYTES, input.length - at));
            for (ByteBuffer frame = assembler.next(read); frame != null; frame = assembler.next(read)) {
                ControlMessage.CODEC.decode(frame);
            }
        }
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
