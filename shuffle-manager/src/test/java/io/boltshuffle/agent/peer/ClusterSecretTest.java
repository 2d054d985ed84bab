package io.boltshuffle.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.conf.Settings;
import io.boltshuffle.wire.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterSecretTest {

    private final Path file;

    ClusterSecretTest(@TempDir Path directory) {
        file = directory.resolve("secret");
    }

    @Test
    void withoutAFileThereIsNone() throws Exception {
        assertThat(ClusterSecret.read(Settings.parse(Map.of())).isPresent()).isFalse();
    }

    @Test
    void aFileForItsOwnerOnlyIsRead() throws Exception {
        write("rw-------", "known to all agents\n");
        assertThat(read().isPresent()).isTrue();
    }

    @Test
    void aFileThatOthersMayReadIsRefused() throws Exception {
        write("rw-r-----", "known to all agents\n");
        assertThatThrownBy(this::read).isInstanceOf(IOException.class).hasMessageContaining("chmod 600");
    }

    @Test
    void anEmptyFileIsRefused() throws Exception {
        write("rw-------", "");
        assertThatThrownBy(this::read).isInstanceOf(IOException.class).hasMessageContaining(file.toString());
    }

    /** Agents prove what is left of the file without its white space; an empty rest proves nothing. */
    @Test
    void aBlankFileIsRefusedWithItsPathAndARemedy() throws Exception {
        write("rw-------", " \n\t\n");
        assertThatThrownBy(this::read)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("openssl rand");
    }

    private void write(String permissions, String secret) throws IOException {
        Files.writeString(file, secret);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions)); // whatever the umask
    }

    private Secret read() throws IOException {
        return ClusterSecret.read(Settings.parse(Map.of("spark.boltshuffle.agent.secretFile", file.toString())));
    }
}
