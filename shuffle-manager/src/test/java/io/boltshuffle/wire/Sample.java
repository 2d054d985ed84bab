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
                        Samples.TO_AGENT.stream()
                                .map(m -> new Sample(m, ExecutorMessageCodec.encode(m), ExecutorMessageCodec::decode)),
                        Samples.TO_EXECUTOR.stream()
                                .map(m -> new Sample(m, AgentMessageCodec.encode(m), AgentMessageCodec::decode)),
                        Samples.BETWEEN_AGENTS.stream()
                                .map(m -> new Sample(m, ControlMessageCodec.encode(m), ControlMessageCodec::decode)))
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
