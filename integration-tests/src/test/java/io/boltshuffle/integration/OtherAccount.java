package io.boltshuffle.integration;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.cli.base.ShortCommand;
import io.boltshuffle.os.SystemCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Another account of the system, nobody, which can run programs but not enter the directories of this one. */
public final class OtherAccount {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int NOBODY = 65534;
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");

    private OtherAccount() {}

    /** Skips the test where no program can be run as that account. */
    public static void require() throws IOException {
        assumeTrue(
                SystemCommand.run(SOON, new ProcessBuilder(words(List.of("true"))))
                                .exitCode()
                        == 0,
                "this test needs root and setpriv, to run a program as another account");
    }

    /** Makes a program run as that account. */
    public static ProcessBuilder run(ProcessBuilder program) {
        return program.command(words(program.command()));
    }

    /** Makes a directory of that account's. */
    public static Path directory(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.setAttribute(directory, "unix:uid", NOBODY);
        return directory;
    }

    /** Lets that account enter a directory of this one, and list it. */
    public static Path opened(Path directory) throws IOException {
        return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Copies what is at {@code from}, a file or a directory, where that account can read all of it. */
    public static void copy(Path from, Path to) {
        ShortCommand.run(SOON, List.of("cp", "-RL", from.toString(), to.toString()));
        letRead(to);
    }

    /** Lets that account read all below a directory of this one. */
    public static void letRead(Path directory) {
        ShortCommand.run(SOON, List.of("chmod", "-R", "a+rX", directory.toString()));
    }

    /** Copies a class path below a directory. Returns that of the copies. */
    static String copyClassPath(String classPath, Path directory) {
        List<String> copies = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty() && Files.exists(Path.of(entry))) {
                Path copy =
                        directory.resolve(copies.size() + "-" + Path.of(entry).getFileName());
                copy(Path.of(entry), copy);
                copies.add(copy.toString());
            }
        }
        return String.join(File.pathSeparator, copies);
    }

    private static List<String> words(List<String> program) {
        List<String> words = new ArrayList<>(AS_NOBODY);
        words.addAll(program);
        return words;
    }
}
