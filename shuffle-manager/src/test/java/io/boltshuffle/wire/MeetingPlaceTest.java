package io.boltshuffle.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
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
        for (String user : List.of("ada", "somebody-with-a-name-of-28-ch", "n".repeat(100), "\u00e9lo\u00efse")) {
            for (boolean mac : List.of(true, false)) {
                Path socket = MeetingPlace.defaultRoot(new ThisUser(user, Integer.MIN_VALUE), mac)
                        .resolve("h".repeat(50))
                        .resolve("agent.sock");
                assertThat(socket.toString().getBytes(UTF_8).length)
                        .as("%s", socket)
                        .isLessThanOrEqualTo(103);
            }
        }
        assertThat(MeetingPlace.defaultRoot(new ThisUser("ada", 7), false)).isEqualTo(Path.of("/tmp/boltshuffle-ada"));
        assertThat(MeetingPlace.defaultRoot(new ThisUser("ada", 7), true)).isEqualTo(Path.of("/tmp/bolt-ada"));
        assertThat(MeetingPlace.defaultRoot(new ThisUser("54321", 54321), false))
                .isEqualTo(Path.of("/tmp/boltshuffle-54321"));
        assertThat(MeetingPlace.defaultRoot(new ThisUser("\u00e9lo\u00efse", 7), false))
                .isEqualTo(Path.of("/tmp/boltshuffle-7"));
    }

    /** {@code ?} is what Java calls a user that no account has, as in many containers. */
    @Test
    void noOptionOfAJvmLeadsToAnotherPlaceNorAwayFromIt() throws Exception {
        Path root = temp.resolve("r");
        MeetingPlace.open(root, "h");

        assertThat(program(List.of(), List.of("-Djava.io.tmpdir=" + temp, "-Duser.name=?"), ownClasses(), root))
                .containsExactly(MeetingPlace.defaultRoot().toString(), "open");
    }

    @Test
    void aUserWithoutAnAccountComesBackToItsPlace() throws Exception {
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path classes = Files.createDirectories(temp.resolve("classes/io/boltshuffle/wire"));
        for (Path own : List.of(
                ownClasses(),
                Path.of(Program.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI()))) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(own.resolve("io/boltshuffle/wire"))) {
                for (Path file : files) {
                    Files.copy(file, classes.resolve(file.getFileName().toString()));
                }
            }
        }
        List<String> asNobody = List.of("setpriv", "--reuid=54321", "--regid=54321", "--clear-groups");
        Path root = temp.resolve("r");
        List<String> first = program(asNobody, List.of(), temp.resolve("classes"), root);
        assumeTrue(!first.isEmpty(), "this test needs root and setpriv, to run a program as another user");

        assertThat(first).containsExactly("/tmp/boltshuffle-54321", "open");
        assertThat(program(asNobody, List.of(), temp.resolve("classes"), root)).isEqualTo(first);
        assertThatThrownBy(() -> MeetingPlace.open(root, "h"))
                .hasMessageContaining("belongs to 54321, not to ")
                .hasMessageContaining("choose another");
    }

    private static Path ownClasses() throws Exception {
        return Path.of(MeetingPlace.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    /** Returns what the program says, or nothing if it cannot be run. */
    private static List<String> program(List<String> before, List<String> options, Path classes, Path root)
            throws Exception {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        String own = Path.of(Program.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        command.addAll(List.of("-cp", classes + File.pathSeparator + own, Program.class.getName(), root.toString()));
        try {
            return new ProcessBuilder(command).start().inputReader().lines().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Opens a place, and says where it is by default. */
    static final class Program {
        public static void main(String[] args) throws Exception {
            MeetingPlace.open(Path.of(args[0]), "h");
            System.out.println(MeetingPlace.defaultRoot());
            System.out.println("open");
        }
    }

    /** In a container, a number that no account has is a name of its own to some and a question mark to others. */
    @Test
    void anOwnerIsToldByTheNumberAndOnlyWhereThereIsNoneByTheName() {
        ThisUser user = new ThisUser("54321", 54321);

        assertThat(user.is(54321, "?")).isTrue();
        assertThat(user.is(7, "54321")).isFalse();
        assertThat(new ThisUser("ada", -1).is(7, "ada")).isTrue();
    }
}
