package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows that another user of the same machine gets nothing. */
class OtherUserTest {

    private static final String NOBODY = "65534";

    private final Path temp;

    OtherUserTest(@TempDir Path temp) {
        this.temp = temp;
    }

    @Test
    void getsNothingFromSocketSlabAndStateFiles() throws Exception {
        // All that keeps the stranger out shall be what the agent does.
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path open = Files.writeString(temp.resolve("open"), "for all to read");
        Path program = programFor(temp.resolve("classes"));
        assumeTrue(
                asNobody(program, List.of(open.toString())).equals(List.of("read " + open)),
                "this test needs root and setpriv, to run a program as another user");

        try (TwoAgents hosts = new TwoAgents(temp, Map.of())) {
            hosts.startAgents(1);
            MeetingPlace place = hosts.place(TwoAgents.READER);
            Path root = place.directory().resolveSibling(".").normalize();
            List<String> targets = new ArrayList<>(List.of(root.toString()));
            targets.add(SlabLocation.preferred(SlabName.of(place)).name());
            try (Stream<Path> all = Files.walk(root)) {
                all.skip(1).map(Path::toString).forEach(targets::add);
            }
            assertThat(targets)
                    .contains(place.socket().toString(), place.agentLock().toString());

            assertThat(asNobody(program, targets)).isEmpty();
        }
    }

    /** The program's class where another user can read it. */
    private static Path programFor(Path directory) throws IOException {
        String file = Stranger.class.getName().replace('.', '/');
        Files.createDirectories(directory.resolve(file).getParent());
        for (String name : List.of(file + ".class", file + "$Attempt.class")) {
            try (InputStream in = Objects.requireNonNull(Stranger.class.getResourceAsStream("/" + name))) {
                Files.copy(in, directory.resolve(name));
            }
        }
        return directory;
    }

    private static List<String> asNobody(Path program, List<String> paths) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "setpriv",
                "--reuid=" + NOBODY,
                "--regid=" + NOBODY,
                "--clear-groups",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                program.toString(),
                Stranger.class.getName()));
        command.addAll(paths);
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return List.of("no program can be run as another user: " + e);
        }
        List<String> done = process.inputReader().lines().toList();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return done;
    }
}
