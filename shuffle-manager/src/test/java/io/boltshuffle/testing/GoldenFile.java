package io.boltshuffle.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of the repository that is generated from code. Its test fails with the command that writes it anew. */
public final class GoldenFile {
    private static final String REWRITE = "goldenFiles.rewrite";

    private GoldenFile() {}

    /**
     * Fails unless the file says exactly what is generated; with {@code -DgoldenFiles.rewrite} writes it instead.
     *
     * @param file relative to the root of the repository
     * @param test the test that calls
     */
    public static void assertUpToDate(String file, String generated, Class<?> test) throws IOException {
        Path path = Path.of("..").resolve(file);
        if (System.getProperty(REWRITE) != null) {
            Files.writeString(path, generated);
            return;
        }
        assertThat(Files.exists(path) ? Files.readString(path) : "")
                .as(
                        "%s differs from what it is generated from. To rewrite it:%n"
                                + "mvn -q test -pl %s -am -Dtest=%s "
                                + "-Dsurefire.failIfNoSpecifiedTests=false -D%s%n",
                        file, Path.of("").toAbsolutePath().getFileName(), test.getSimpleName(), REWRITE)
                .isEqualTo(generated);
    }
}
