package io.boltshuffle.wire;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Shows that greetings of other versions are told from garbage, even if those versions changed everything else. */
class WireVersionTest {

    private static final int VERSION_AT = 1;

    static Stream<Sample> greetings() {
        return Sample.all()
                .filter(sample -> sample.message() instanceof ExecutorMessage.Hello
                        || sample.message() instanceof AgentMessage.Welcome
                        || sample.message() instanceof ControlMessage.Hello);
    }

    @ParameterizedTest
    @MethodSource("greetings")
    void theNextVersionMayAddWhatItWants(Sample greeting) {
        ByteBuffer body = CodecTest.body(greeting.frame());
        ByteBuffer longer = ByteBuffer.allocate(body.remaining() + 1)
                .put(body)
                .put((byte) 7)
                .flip();
        assertNamesBoth(greeting, longer, ownVersion(greeting) + 1);
    }

    @ParameterizedTest
    @MethodSource("greetings")
    void thePreviousVersionMayLackWhatItWants(Sample greeting) {
        assertNamesBoth(
                greeting,
                CodecTest.body(greeting.frame()).slice(0, VERSION_AT + Integer.BYTES),
                ownVersion(greeting) - 1);
    }

    private static int ownVersion(Sample greeting) {
        return greeting.message() instanceof ControlMessage ? WireLimits.CONTROL_VERSION : WireLimits.SESSION_VERSION;
    }

    private static void assertNamesBoth(Sample greeting, ByteBuffer body, int version) {
        body.putInt(VERSION_AT, version);
        assertThatThrownBy(() -> greeting.decode(body))
                .isInstanceOf(WireException.class)
                .hasMessageStartingWith(
                        "the other end speaks version " + version + ", this one " + ownVersion(greeting) + ": ");
    }
}
