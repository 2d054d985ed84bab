package io.boltshuffle.testing;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The entry of a fuzzer that is guided by coverage, for the decoders of every {@link FuzzContract}: it holds each input
 * to the same rules as the build does. {@code .ci/fuzz} runs it.
 *
 * <p>{@code main} lists the decoders of directories of test classes, a line each: class, name, and the corpus's file.
 * With {@code --seeds CLASS NAME DIRECTORY} it writes what a run begins with, and with {@code --keep CLASS NAME
 * DIRECTORY} it keeps what one has found.
 */
public final class GuidedFuzz {

    /** Decoders that write files get a new directory for so many inputs. */
    private static final int INPUTS_PER_DIRECTORY = 10_000;

    /** Class and name of a decoder, with a space between them. */
    private static final String DECODER = "BOLT_FUZZ";

    /**
     * Memory that decoders may take besides: the fuzzer's code in them keeps the compiler from sparing them objects.
     */
    private static final long ALLOWED_BYTES = 8 << 20;

    private static @Nullable FuzzTarget target;
    private static @Nullable Path directory;
    private static int inputs;

    private GuidedFuzz() {}

    /** Called by the fuzzer once, before the first input. */
    public static void fuzzerInitialize() throws Exception {
        String[] contractAndName = System.getenv(DECODER).split(" ", 2);
        target = target(contractAndName[0], contractAndName[1]);
    }

    /** Called by the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        FuzzTarget decoder = Objects.requireNonNull(target);
        try {
            FuzzContract.check(decoder, input, "guided", ALLOWED_BYTES);
        } catch (AssertionError e) {
            // Classes that the input was the first to need take memory, too, and so does the fuzzer that reads them.
            FuzzContract.check(decoder, input, "guided", ALLOWED_BYTES);
        }
        inputs++;
        if (directory != null && inputs % INPUTS_PER_DIRECTORY == 0) {
            empty(directory);
        }
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments.length == 4 ? arguments[0] : "") {
            case "--seeds" -> writeSeeds(arguments[1], arguments[2], Path.of(arguments[3]));
            case "--keep" ->
                new FuzzCorpus(corpusFile(arguments[1], arguments[2])).keep(filesIn(Path.of(arguments[3])));
            default -> list(Arrays.stream(arguments).map(Path::of).toList());
        }
    }

    private static void list(List<Path> testClasses) throws Exception {
        for (Path root : testClasses) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(each -> each.toString().endsWith("FuzzTest.class"))
                        .sorted()
                        .toList()) {
                    String name = root.relativize(file).toString().replace('/', '.');
                    String contract = name.substring(0, name.length() - ".class".length());
                    for (FuzzTarget each : contract(contract).targets().toList()) {
                        System.out.println(contract + " " + each.name() + " " + corpusFile(contract, each.name()));
                    }
                }
            }
        }
    }

    private static void writeSeeds(String contract, String name, Path into) throws Exception {
        int written = 0;
        for (byte[] seed : Stream.concat(
                        target(contract, name).samples().stream(),
                        new FuzzCorpus(corpusFile(contract, name)).inputs().stream())
                .toList()) {
            Files.write(into.resolve("seed-" + written++), seed);
        }
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static FuzzTarget target(String contract, String name) throws Exception {
        return contract(contract)
                .targets()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(contract + " has no decoder " + name));
    }

    /** Does what JUnit does for these classes, which is to give them directories. */
    private static FuzzContract contract(String name) throws Exception {
        Class<?> contract = Class.forName(name);
        for (Field field : contract.getDeclaredFields()) {
            if (field.isAnnotationPresent(TempDir.class) && Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                field.set(null, directory());
            }
        }
        Constructor<?> constructor = contract.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        return (FuzzContract)
                (constructor.getParameterCount() == 0
                        ? constructor.newInstance()
                        : constructor.newInstance(directory()));
    }

    private static Path directory() throws IOException {
        if (directory == null) {
            directory = Files.createTempDirectory("bolt-fuzz");
        }
        return directory;
    }

    private static void empty(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (Files.isRegularFile(file)) {
                    Files.delete(file);
                }
            }
        }
    }

    /** The file of a decoder, in the module that has its test. */
    private static Path corpusFile(String contract, String name) throws ClassNotFoundException, URISyntaxException {
        Path testClasses = Path.of(Class.forName(contract)
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return testClasses
                .resolve("../..")
                .normalize()
                .resolve(FuzzCorpus.DIRECTORY)
                .resolve(name + ".txt");
    }
}
