package io.boltshuffle.cli.joining;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.cli.joining.JoinMessage.Greeting;
import io.boltshuffle.cli.joining.JoinMessage.Request;
import io.boltshuffle.cli.joining.JoinMessage.Wish;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JoinMessageTest {
    private static final int MOST = JoinMessage.MOST_BYTES_OF_STRANGERS;
    private static final Request REQUEST = new Request(1, "0.2.0", "0f", Wish.JOIN, "", "Johns-Mac-mini.local", "00ff");

    @Test
    void aMessageSurvivesTheWire() throws IOException {
        assertThat(read(bytes())).isEqualTo(REQUEST);
    }

    @Test
    void aMessageThatIsCutOffAnywhereIsRefused() throws IOException {
        byte[] whole = bytes();
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> read(cut)).isInstanceOf(EOFException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, MOST + 1, Integer.MAX_VALUE})
    void aLengthThatIsNotAllowedIsRefusedBeforeMemoryIsTaken(int length) {
        assertThatThrownBy(() -> read(ByteBuffer.allocate(4).putInt(length).array()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a message of " + length + " bytes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{}", "null", "[]", "{\"version\":1", "{\"version\":{}}", "{\"wish\":\"RULE\"}", "nonsense"})
    void whatIsNoMessageIsRefused(String json) {
        byte[] bytes = json.getBytes(UTF_8);
        assertThatThrownBy(() -> read(ByteBuffer.allocate(4 + bytes.length)
                        .putInt(bytes.length)
                        .put(bytes)
                        .array()))
                .isInstanceOf(IOException.class)
                .hasMessage("a message that is no Request");
    }

    @Test
    void aMessageOfAnotherKindIsRefused() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        JoinMessage.write(out, new Greeting(1, "0.2.0", "0f"));

        assertThatThrownBy(() -> read(out.toByteArray())).isInstanceOf(IOException.class);
    }

    private static byte[] bytes() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        JoinMessage.write(out, REQUEST);
        return out.toByteArray();
    }

    private static Request read(byte[] bytes) throws IOException {
        return JoinMessage.read(new ByteArrayInputStream(bytes), Request.class, MOST);
    }
}
