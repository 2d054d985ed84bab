package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Installation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Chooses the virtual Thunderbolt to use. A released archive has one for each usual platform; a checkout builds one.
 * Both are for tests and demos: nothing else looks here.
 */
public final class EmulatorOption {
    private static final String FILE = System.mapLibraryName("vtb");

    @Option(
            names = "--emulator",
            paramLabel = "FILE",
            description = "Library of the virtual Thunderbolt (default: the archive's for this platform, or the one"
                    + " that a checkout builds).")
    private @Nullable Path chosen;

    /** Returns the library, if there is one. */
    public Optional<Path> find() {
        if (chosen == null) {
            return Stream.of(ofArchive(), ofCheckout())
                    .filter(Files::isRegularFile)
                    .findFirst();
        }
        if (!Files.isRegularFile(chosen)) {
            throw BoltException.usage("--emulator " + chosen + " is no file");
        }
        return Optional.of(chosen.toAbsolutePath());
    }

    /** Returns the library, or fails with the way to get it. */
    public Path require() {
        return find().orElseThrow(() -> BoltException.environment(
                "there is no virtual Thunderbolt at " + ofArchive() + " or " + ofCheckout(),
                "take a released archive if it has one for " + PlatformName.current()
                        + ", or run this in a checkout, after 'mvn package' with a C compiler and make installed"));
    }

    /** Returns whether a verbs library is one of these, by its name. */
    public static boolean isEmulator(Path library) {
        return library.endsWith(FILE);
    }

    private static Path ofArchive() {
        return Installation.current()
                .lib()
                .resolveSibling("virtual-thunderbolt")
                .resolve(PlatformName.current())
                .resolve(FILE);
    }

    private static Path ofCheckout() {
        Path checkout = Installation.current().lib().resolve("../../..").normalize();
        return checkout.resolve("rdma-native/target/emulator").resolve(FILE);
    }
}
