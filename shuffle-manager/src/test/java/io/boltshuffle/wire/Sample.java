package io.boltshuffle.wire;

import java.nio.ByteBuffer;
import java.util.stream.Stream;

/** A message with the codec of its direction. */
record Sample(Object message, ByteBuffer frame, Decoder decoder) {

    /** Reads a message of one direction. */
    @FunctionalInterface
    interface Decoder {
        Object decode(ByteBuffer frame) throws WireException;
    }

    static Stream<Sample> all() {
        return Stream.of(
                        SampleMessages.TO_AGENT.stream()
                                .map(m ->
                                        new Sample(m, ExecutorMessage.CODEC.encode(m), ExecutorMessage.CODEC::decode)),
                        SampleMessages.TO_EXECUTOR.stream()
                                .map(m -> new Sample(m, AgentMessage.CODEC.encode(m), AgentMessage.CODEC::decode)),
                        SampleMessages.BETWEEN_AGENTS.stream()
                                .map(m -> new Sample(m, ControlMessage.CODEC.encode(m), ControlMessage.CODEC::decode)))
                .flatMap(samples -> samples);
    }

    Object decode(ByteBuffer bytes) throws WireException {
        return decoder.decode(bytes);
    }

    @Override
    public String toString() {
        return message.toString();
    }
}
