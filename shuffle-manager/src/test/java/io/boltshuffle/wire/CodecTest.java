package io.boltshuffle.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodecTest {

    private static final int FETCH = 3;

    /** The first byte of each message: another release knows it by that. */
    @Test
    void theNumbersOfMessagesStay() {
        assertThat(numbers(SampleMessages.TO_AGENT.stream().map(ExecutorMessage.CODEC::encode)))
                .containsExactly(1, 2, FETCH, 4, 5, 6, 16, 8, 12, 13, 14, 15, 7);
        assertThat(numbers(SampleMessages.TO_EXECUTOR.stream().map(AgentMessage.CODEC::encode)))
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 16, 17, 12);
        assertThat(numbers(SampleMessages.BETWEEN_AGENTS.stream().map(ControlMessage.CODEC::encode)))
                .containsExactly(1, 2, 3, 4, 17, 18, 16, 6, 7, 8, 9, 13, 14, 10, 11, 12);
    }

    private static Stream<Integer> numbers(Stream<ByteBuffer> frames) {
        return frames.map(frame -> (int) body(frame).get());
    }

    static Stream<Sample> samples() {
        return Sample.all();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void everyMessageSurvivesTheWire(Sample sample) throws WireException {
        assertThat(sample.decode(body(sample.frame()))).isEqualTo(sample.message());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aMessageCutShortAnywhereIsRefused(Sample sample) {
        ByteBuffer whole = body(sample.frame());
        for (int length = 0; length < whole.remaining(); length++) {
            ByteBuffer cut = whole.slice(0, length);
            assertThatThrownBy(() -> sample.decode(cut)).isInstanceOf(WireException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void bytesAfterTheLastFieldAreRefused(Sample sample) {
        ByteBuffer body = body(sample.frame());
        ByteBuffer longer = ByteBuffer.allocate(body.remaining() + 1)
                .put(body)
                .put((byte) 0)
                .flip();
        assertThatThrownBy(() -> sample.decode(longer)).isInstanceOf(WireException.class);
    }

    @Test
    void thereIsASampleOfEveryMessage() {
        assertThat(classesOf(SampleMessages.TO_AGENT)).containsExactlyInAnyOrder(records(ExecutorMessage.class));
        assertThat(classesOf(SampleMessages.TO_EXECUTOR)).containsExactlyInAnyOrder(records(AgentMessage.class));
        assertThat(classesOf(SampleMessages.BETWEEN_AGENTS)).containsExactlyInAnyOrder(records(ControlMessage.class));
    }

    /** Names end up in logs and in a terminal: a line of its own would be taken for the agent's. */
    @ParameterizedTest
    @ValueSource(
            strings = {"mac2\n12:00 INFO all is well", "mac2\r", "mac2\u001b[2J", "mac2\u2028", "mac2\u0085", "a\u202eb"
            })
    void aNameWithAControlCharacterIsRefused(String name) {
        ControlMessage.Hello hello =
                new ControlMessage.Hello(WireLimits.CONTROL_VERSION, name, 1, SampleMessages.opaque(32), false);
        ByteBuffer body = body(ControlMessage.CODEC.encode(hello));
        assertThatThrownBy(() -> ControlMessage.CODEC.decode(body))
                .isInstanceOf(WireException.class)
                .hasMessage("agent holds a control character");
    }

    /** Explanations may be another program's, of several lines. They are read as one. */
    @Test
    void anExplanationIsReadAsOneLine() throws WireException {
        ControlMessage.Goodbye said = new ControlMessage.Goodbye("first\nsecond\u001b[2J");
        assertThat(ControlMessage.CODEC.decode(body(ControlMessage.CODEC.encode(said))))
                .isEqualTo(new ControlMessage.Goodbye("first second [2J"));
    }

    @Test
    void anUnknownTypeIsNamedInTheError() {
        ByteBuffer unknown = ByteBuffer.wrap(new byte[] {99});
        assertThatThrownBy(() -> ControlMessage.CODEC.decode(unknown))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("99");
    }

    @Test
    void aHugeCountIsRefusedBeforeMemoryIsTaken() {
        WireWriter out = new WireWriter();
        out.u8(FETCH);
        out.i64(1);
        out.text("host", "h", WireLimits.MAX_NAME_BYTES);
        out.text("executor", "1", WireLimits.MAX_NAME_BYTES);
        out.i64(1);
        out.number("timeout", 1, WireLimits.MAX_TIMEOUT_MILLIS);
        out.number("blocks", Long.MAX_VALUE, Long.MAX_VALUE);
        assertThatThrownBy(() -> ExecutorMessage.CODEC.decode(body(out.frame())))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("blocks");
    }

    @Test
    void theLargestFetchFitsAFrame() throws WireException {
        BlockRange widest = new BlockRange(Integer.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE - 1, Integer.MAX_VALUE);
        List<BlockRange> blocks = new ArrayList<>();
        for (int i = 0; i < WireLimits.MAX_BLOCKS; i++) {
            blocks.add(widest);
        }
        ExecutorMessage.Fetch fetch = new ExecutorMessage.Fetch(1, "h", "1", 1, 1, blocks);
        assertThat(ExecutorMessage.CODEC.decode(body(ExecutorMessage.CODEC.encode(fetch))))
                .isEqualTo(fetch);
    }

    @Test
    void oneBlockMoreThanAllowedIsRefusedBySenderToo() {
        List<BlockFailure> failures = new ArrayList<>();
        for (int i = 0; i <= WireLimits.MAX_BLOCKS; i++) {
            failures.add(new BlockFailure(0, FailureReason.DEADLINE));
        }
        assertThatThrownBy(() -> AgentMessage.CODEC.encode(new AgentMessage.BlockFailures(1, failures, "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("failures");
    }

    @Test
    void aLongDetailIsCutNotRefused() throws WireException {
        AgentMessage.Goodbye goodbye = new AgentMessage.Goodbye("ü".repeat(5000));
        AgentMessage decoded = AgentMessage.CODEC.decode(body(AgentMessage.CODEC.encode(goodbye)));
        assertThat(goodbye.detail()).startsWith(((AgentMessage.Goodbye) decoded).detail());
    }

    static ByteBuffer body(ByteBuffer frame) {
        return frame.slice(Integer.BYTES, frame.remaining() - Integer.BYTES);
    }

    private static List<Class<?>> classesOf(List<?> messages) {
        return messages.stream().map(Object::getClass).collect(Collectors.toList());
    }

    private static Class<?>[] records(Class<?> family) {
        return Stream.of(family.getPermittedSubclasses()).toArray(Class<?>[]::new);
    }
}
