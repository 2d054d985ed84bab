package io.boltshuffle.agent.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.agent.base.RefusedException;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows which files an agent serves, and what one application may not take from another. */
class ApplicationsTest {

    private static final Secret SECRET = Secret.of(new byte[] {1});

    private final Path directory;
    private final List<String> told = new ArrayList<>();
    private final Applications applications = new Applications(new NoBlocks(), Runnable::run, Runnable::run);

    ApplicationsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void aDirectoryThatAnotherApplicationRegisteredIsRefused() throws Exception {
        applications.register(of("app-1", SECRET, directory.toString()));
        for (String spelling : List.of(directory.toString(), directory + "/", directory + "/sub/../.")) {
            assertThatThrownBy(() -> applications.register(of("app-2", SECRET, spelling)))
                    .isInstanceOfSatisfying(RefusedException.class, e -> {
                        assertThat(e.reason()).isEqualTo(FailureReason.REFUSED);
                        assertThat(e.detail()).contains(directory.toString(), "another application");
                    });
        }
        assertThat(applications.all()).containsExactly("app-1");
    }

    @Test
    void aDirectoryThatIsNoPathIsRefusedInWords() {
        assertThatThrownBy(() -> applications.register(of("app-1", SECRET, directory + "/a\0b")))
                .isInstanceOfSatisfying(RefusedException.class, e -> {
                    assertThat(e.reason()).isEqualTo(FailureReason.REFUSED);
                    assertThat(e.detail()).contains("/a?b is no path");
                });
        assertThat(applications.all()).isEmpty();
    }

    /** Programs of one user are one trust domain, and the loop must not ask a file system that may hang. */
    @Test
    void aSymbolicLinkToADirectoryCountsAsAnother() throws Exception {
        Path real = Files.createDirectory(directory.resolve("real"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), real);
        applications.register(of("app-1", SECRET, real.toString()));
        applications.register(of("app-2", SECRET, link.toString()));
        assertThat(applications.all()).containsExactlyInAnyOrder("app-1", "app-2");
    }

    @Test
    void executorsOfOneApplicationMayShareADirectory() throws Exception {
        applications.register(of("app-1", SECRET, directory.toString()));
        Registration second = new Registration("app-1", "2", List.of(directory.toString()), 1, "sort", SECRET);
        applications.register(second);
        assertThat(applications.knows("app-1", "2")).isTrue();
    }

    @Test
    void theDirectoryOfAnApplicationThatEndedIsFree() throws Exception {
        Path gone = Files.createDirectory(directory.resolve("gone"));
        applications.register(of("app-1", SECRET, gone.toString()));
        Files.delete(gone);
        applications.forgetEnded(() -> Set.of());
        applications.register(of("app-2", SECRET, gone.toString()));
        assertThat(applications.all()).containsExactly("app-2");
    }

    @Test
    void aFileSystemThatHangsKeepsTheLoopFromNothing() throws Exception {
        Deque<Runnable> disk = new ArrayDeque<>();
        Applications slow = new Applications(new NoBlocks(), disk::add, Runnable::run);
        slow.register(of("app-1", SECRET, directory.resolve("gone").toString()));
        slow.forgetEnded(() -> Set.of());
        slow.forgetEnded(() -> Set.of());
        assertThat(disk).hasSize(1);
        assertThat(slow.all()).containsExactly("app-1");

        disk.remove().run();
        assertThat(slow.all()).isEmpty();
        assertThat(disk).isEmpty();
    }

    @Test
    void anApplicationThatComesBackWhileItsDirectoriesAreLookedAtStays() throws Exception {
        Deque<Runnable> disk = new ArrayDeque<>();
        Applications slow = new Applications(new NoBlocks(), disk::add, Runnable::run);
        slow.register(of("app-1", SECRET, directory.resolve("gone").toString()));
        Set<String> inSession = new HashSet<>();
        slow.forgetEnded(() -> inSession);
        inSession.add("app-1");
        disk.remove().run();
        assertThat(slow.all()).containsExactly("app-1");

        inSession.clear();
        slow.forgetEnded(() -> inSession);
        slow.register(new Registration("app-1", "2", List.of(directory.toString()), 1, "sort", SECRET));
        disk.remove().run();
        assertThat(slow.all()).containsExactly("app-1");
    }

    @Test
    void anApplicationThatMadeItsDirectoriesAnewAndEndedSinceTheyWereLookedAtStays() throws Exception {
        Deque<Runnable> loop = new ArrayDeque<>();
        Applications some = new Applications(new NoBlocks(), Runnable::run, loop::add);
        Path made = directory.resolve("made");
        some.register(of("app-1", SECRET, made.toString()));
        some.forgetEnded(Set::of);
        Files.createDirectory(made);
        some.register(of("app-1", SECRET, made.toString()));
        loop.remove().run();
        assertThat(some.all()).containsExactly("app-1");

        Files.delete(made);
        some.forgetEnded(Set::of);
        loop.remove().run();
        assertThat(some.all()).isEmpty();
    }

    @Test
    void anIdThatIsRegisteredWithAnotherSecretIsRefused() throws Exception {
        applications.register(of("app-1", SECRET, directory.toString()));
        assertThatThrownBy(() -> applications.register(of("app-1", Secret.of(new byte[] {2}), "/elsewhere")))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.detail()).contains("with another secret"));
    }

    @Test
    void listenersHearOfBeginningsAndEndsOnce() throws Exception {
        applications.addListener(new Applications.Listener() {
            @Override
            public void onRegistered(String application) {
                told.add(application + " begins");
            }

            @Override
            public void onForgotten(String application) {
                told.add(application + " ends");
            }
        });
        Path gone = Files.createDirectory(directory.resolve("gone"));
        applications.register(of("app-1", SECRET, gone.toString()));
        applications.register(of("app-1", SECRET, gone.toString()));
        applications.forgetEnded(() -> Set.of());
        Files.delete(gone);
        applications.forgetEnded(() -> Set.of("app-1"));
        assertThat(told).containsExactly("app-1 begins");
        applications.forgetEnded(() -> Set.of());
        applications.forgetEnded(() -> Set.of());
        assertThat(told).containsExactly("app-1 begins", "app-1 ends");
    }

    private static Registration of(String application, Secret secret, String directory) {
        return new Registration(application, "1", List.of(directory), 1, "sort", secret);
    }
}
