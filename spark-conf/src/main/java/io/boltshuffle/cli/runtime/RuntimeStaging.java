package io.boltshuffle.cli.runtime;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Teardown;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Fills the directory of a runtime in the cache.
 *
 * <p><b>Invariant:</b> a runtime directory is complete or absent: it is filled beside its place and then renamed.
 */
final class RuntimeStaging {
    private final Path cache;
    private final Console console;

    RuntimeStaging(Path cache, Console console) {
        this.cache = cache;
        this.console = console;
    }

    /** Puts a runtime's jars somewhere. */
    @FunctionalInterface
    interface Filling {
        /**
         * Fills {@code jars}, which does not exist yet.
         *
         * @param scratch a directory for anything else, which is removed
         * @param teardown ends what the filling starts
         */
        void fill(Path scratch, Path jars, Teardown teardown) throws IOException;
    }

    /**
     * Fills {@code home}.
     *
     * @param megabytes how much the filling writes at most
     */
    void fill(Path home, long megabytes, Filling filling) {
        try (Teardown teardown = Teardown.hooked()) {
            Files.createDirectories(cache);
            requireSpace(cache, megabytes);
            Path staging = teardown.open(() -> Files.createTempDirectory(cache, ".gathering-"), FileTrees::delete);
            filling.fill(staging, staging.resolve("spark/jars"), teardown);
            publish(staging.resolve("spark"), home);
        } catch (FileSystemException e) {
            throw BoltException.environment(
                    "cannot write to " + cache + " (" + e.getMessage() + ")",
                    "set BOLT_CACHE to a directory you may write to");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            console.clearStatus();
        }
    }

    private static void requireSpace(Path directory, long megabytes) {
        // FileStore does not help: in a plain chroot, which has no mount table, it cannot be obtained.
        long free = directory.toFile().getUsableSpace() >> 20;
        if (free < megabytes) {
            throw BoltException.environment(
                    "only " + free + " MB are free at " + directory + ", and " + megabytes + " MB are needed",
                    "free some space, or set BOLT_CACHE to a directory on a roomier disk");
        }
    }

    /** Moves the runtime to its place. If another bolt has made the same runtime meanwhile, that one stays. */
    private static void publish(Path complete, Path home) throws IOException {
        try {
            Files.move(complete, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(home)) {
                throw e;
            }
        }
    }
}
