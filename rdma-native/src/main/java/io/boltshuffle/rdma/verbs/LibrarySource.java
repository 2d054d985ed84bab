package io.boltshuffle.rdma.verbs;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import io.boltshuffle.rdma.Availability;
import io.boltshuffle.rdma.Availability.Available;
import io.boltshuffle.rdma.Availability.Unavailable;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.verbs.Errno.Platform;
import java.io.File;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Says where a verbs library comes from, and loads it.
 *
 * @param name for people
 * @param file the argument of {@code dlopen}
 * @param platform the platform whose errno numbers it uses
 * @param remedy what to do if it cannot be loaded
 */
record LibrarySource(String name, String file, Platform platform, String remedy) {

    /** {@code RTLD_NOW}, the same on both platforms: a missing symbol must fail here and not in the first call. */
    private static final int OPEN_NOW = 2;

    /**
     * Keeps every loaded library for the life of the process. JNA unloads a library without references, but a verbs
     * library has threads of its own and devices that were leaked on purpose.
     */
    private static final Set<NativeLibrary> NEVER_UNLOADED = ConcurrentHashMap.newKeySet();

    /** The result of loading: exactly one of a library and a reason. */
    record Outcome(Availability availability, @Nullable LoadedLibrary library) {

        LoadedLibrary libraryOrThrow() throws VerbsException {
            LoadedLibrary loaded = library;
            if (loaded != null) {
                return loaded;
            }
            if (availability instanceof Unavailable missing) {
                throw new VerbsException(missing.reason(), "dlopen", 0, missing.remedy());
            }
            throw new AssertionError("available without a library");
        }
    }

    static LibrarySource ofThisHost() {
        return switch (Platform.ofThisHost()) {
            case DARWIN ->
                new LibrarySource(
                        "librdma",
                        "/usr/lib/librdma.dylib",
                        Platform.DARWIN,
                        "RDMA needs macOS 26.2 or newer and a Mac with Thunderbolt 5; this system says it is "
                                + System.getProperty("os.version"));
            case LINUX ->
                new LibrarySource(
                        "libibverbs",
                        "libibverbs.so.1",
                        Platform.LINUX,
                        "install rdma-core's user library (Debian: apt-get install libibverbs1 ibverbs-providers)");
        };
    }

    static LibrarySource ofFile(Path file) {
        Path absolute = file.toAbsolutePath();
        return new LibrarySource(
                String.valueOf(absolute.getFileName()),
                absolute.toString(),
                Platform.ofThisHost(),
                "check the path of the verbs library that was configured");
    }

    /** Loads the library. It never throws: if the library cannot be loaded, the outcome has the reason. */
    Outcome load() {
        // Checked on Linux only: system libraries of macOS exist in the loader's cache and not as files.
        if (Path.of(file).isAbsolute() && platform == Platform.LINUX && !Files.isReadable(Path.of(file))) {
            return unavailable("there is no readable file " + file);
        }
        try {
            if (Native.POINTER_SIZE != Long.BYTES) {
                return unavailable(
                        "this JVM has " + Native.POINTER_SIZE + "-byte pointers; the binding is for 64 bits");
            }
            return bind(Map.of(Library.OPTION_OPEN_FLAGS, OPEN_NOW));
        } catch (UnsatisfiedLinkError e) {
            return unavailable("cannot load " + file + ": " + firstLine(e));
        } catch (NoClassDefFoundError | ExceptionInInitializerError e) {
            return new Outcome(
                    new Unavailable(
                            "JNA does not work in this JVM: " + firstLine(e),
                            "JNA unpacks its own library into java.io.tmpdir, which must be writable and allow "
                                    + "execution; jna.tmpdir names another directory"),
                    null);
        }
    }

    private Outcome bind(Map<String, Object> options) {
        NativeLibrary library = NativeLibrary.getInstance(file, options);
        List<String> missing = Arrays.stream(VerbsLibrary.class.getDeclaredMethods())
                .map(Method::getName)
                .filter(function -> !has(library, function))
                .sorted()
                .toList();
        if (!missing.isEmpty()) {
            return unavailable(file + " is not a verbs library: it lacks " + String.join(", ", missing));
        }
        NEVER_UNLOADED.add(library);
        TableCall.prepare();
        VerbsLibrary functions = Native.load(file, VerbsLibrary.class, options);
        File loaded = library.getFile();
        return new Outcome(
                new Available(loaded == null ? file : loaded.getPath()), new LoadedLibrary(name, functions, platform));
    }

    private static boolean has(NativeLibrary library, String function) {
        try {
            return library.getFunction(function) != null;
        } catch (UnsatisfiedLinkError absent) {
            return false;
        }
    }

    private Outcome unavailable(String reason) {
        return new Outcome(new Unavailable(reason, remedy), null);
    }

    private static String firstLine(Throwable failure) {
        return String.valueOf(failure.getMessage())
                .lines()
                .findFirst()
                .orElse(failure.getClass().getSimpleName());
    }
}
