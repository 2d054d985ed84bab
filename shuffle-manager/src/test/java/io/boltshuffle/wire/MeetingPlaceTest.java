package io.boltshuffle.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeetingPlaceTest {

    private final Path temp;

    MeetingPlaceTest(@TempDir Path temp) {
        this.temp = temp;
    }

    @Test
    void hostsOfOneMachineMeetInDifferentPlaces() throws IOException {
        MeetingPlace second = MeetingPlace.open(temp.resolve("r"), "127.0.0.2");
        MeetingPlace third = MeetingPlace.open(temp.resolve("r"), "127.0.0.3");
        assertThat(second.socket()).isNotEqualTo(third.socket());
        assertThat(MeetingPlace.open(temp.resolve("r"), "127.0.0.2").socket()).isEqualTo(second.socket());
    }

    @Test
    void aHostNameCannotLeaveTheRoot() throws IOException {
        for (String host : new String[] {"..", "../x", "a/b", "[::1]", ".", ""}) {
            Path directory = MeetingPlace.open(temp.resolve("r"), host).directory();
            assertThat(directory.normalize().getParent()).isEqualTo(temp.resolve("r"));
        }
    }

    @Test
    void aDirectoryThatOthersMayEnterIsRefused() throws IOException {
        MeetingPlace place = MeetingPlace.open(temp.resolve("r"), "h");
        Files.setPosixFilePermissions(place.directory(), PosixFilePermissions.fromString("rwxr-x---"));
        assertThatThrownBy(() -> MeetingPlace.open(temp.resolve("r"), "h"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("chmod 700");
    }

    @Test
    void aLinkInPlaceOfTheDirectoryIsRefused() throws IOException {
        Files.createDirectory(temp.resolve("elsewhere"));
        MeetingPlace.open(temp.resolve("r"), "h");
        Files.delete(temp.resolve("r").resolve("h"));
        Files.createSymbolicLink(temp.resolve("r").resolve("h"), temp.resolve("elsewhere"));
        assertThatThrownBy(() -> MeetingPlace.open(temp.resolve("r"), "h"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not a directory");
    }

    @Test
    void aSocketPathTooLongForMacOsIsRefused() {
        Path deep = temp.resolve("d".repeat(90));
        assertThatThrownBy(() -> MeetingPlace.open(deep, "h"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("shorter");
        assertThat(deep).doesNotExist();
    }

    @Test
    void theUsualRootIsShortEnoughForTheLongestNameOfAHost() {
        Path mac = Path.of("/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T");
        for (String user : List.of("ada", "somebody-with-a-name-of-28-ch", "n".repeat(100), "\u00e9lo\u00efse")) {
            for (Path temporary : List.of(Path.of("/tmp"), mac, Path.of("/" + "long".repeat(50)))) {
                Path socket = MeetingPlace.defaultRoot(temporary, user)
                        .resolve("h".repeat(50))
                        .resolve("agent.sock");
                assertThat(socket.toString().getBytes(UTF_8).length)
                        .as("%s", socket)
                        .isLessThanOrEqualTo(103);
            }
        }
        assertThat(MeetingPlace.defaultRoot(Path.of("/tmp"), "ada")).isEqualTo(Path.of("/tmp/boltshuffle-ada"));
        assertThat(MeetingPlace.defaultRoot(mac, "ada")).isEqualTo(Path.of("/tmp/bolt-ada"));
    }
}
