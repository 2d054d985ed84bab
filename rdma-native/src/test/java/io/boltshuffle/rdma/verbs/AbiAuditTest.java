package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.rdma.CompletionStatus;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the numbers of {@link Abi} and {@link CompletionStatus} with the verbs header of this machine, by a program
 * in C that prints them. It needs a C compiler and the header, and touches no device.
 */
class AbiAuditTest {
    /**
     * Values of other headers than the one in {@link Abi}, with which the binding is right, too. {@code ibv_port_attr}
     * has 52 bytes in Apple's SDK and in rdma-core before active_speed_ex, 56 since: the binding gives more, zeroed,
     * and reads only what both have.
     */
    private static final Map<String, Set<Long>> KNOWN_DIFFERENCES = Map.of("ibv_port_attr.size", Set.of(56L));

    @Test
    void everyNumberAgreesWithTheHeaderOfThisMachine(@TempDir Path directory) throws Exception {
        Path source = directory.resolve("abi_audit.c");
        Path program = directory.resolve("abi_audit");
        try (InputStream shipped =
                Objects.requireNonNull(AbiAuditTest.class.getResourceAsStream("abi_audit.c"), "abi_audit.c")) {
            Files.copy(shipped, source);
        }
        Path compiled = directory.resolve("compiled");
        assumeTrue(
                run(compiled, "cc", "-o", program.toString(), source.toString()) == 0,
                () -> "no C compiler or no verbs header (Debian: gcc libibverbs-dev): " + text(compiled));
        Path printed = directory.resolve("printed");
        assertThat(run(printed, program.toString())).isZero();

        Map<String, Long> header = new TreeMap<>();
        text(printed)
                .lines()
                .map(line -> line.split(" ", 2))
                .forEach(words -> header.put(words[0], Long.valueOf(words[1])));

        assertThat(header).hasSizeGreaterThan(100);
        assertThat(mismatches(ours(), header)).isEmpty();
    }

    @Test
    void anotherValueAndANameOnOneSideOnlyAreMismatches() {
        assertThat(mismatches(
                        Map.of("ibv_wc.size", 48L, "ours.only", 1L), Map.of("ibv_wc.size", 64L, "header.only", 2L)))
                .containsExactly(
                        "header.only: here null, header 2",
                        "ibv_wc.size: here 48, header 64",
                        "ours.only: here 1, header null");
    }

    @Test
    void theSizesOfPortAttributesThatAreKnownAreNoMismatch() {
        Map<String, Long> ours = Map.of("ibv_port_attr.size", 52L);
        assertThat(mismatches(ours, Map.of("ibv_port_attr.size", 52L))).isEmpty();
        assertThat(mismatches(ours, Map.of("ibv_port_attr.size", 56L))).isEmpty();
        assertThat(mismatches(ours, Map.of("ibv_port_attr.size", 64L))).hasSize(1);
    }

    private static List<String> mismatches(Map<String, Long> ours, Map<String, Long> header) {
        Set<String> names = new TreeSet<>(ours.keySet());
        names.addAll(header.keySet());
        return names.stream()
                .filter(name -> !Objects.equals(ours.get(name), header.get(name)))
                .filter(name -> header.get(name) == null
                        || !KNOWN_DIFFERENCES.getOrDefault(name, Set.of()).contains(header.get(name)))
                .map(name -> name + ": here " + ours.get(name) + ", header " + header.get(name))
                .toList();
    }

    /** Returns every number by its C name: {@code QpAttr.PATH_MTU} is {@code ibv_qp_attr.path_mtu}. */
    private static Map<String, Long> ours() throws IllegalAccessException {
        Map<String, Long> numbers = new TreeMap<>();
        for (Class<?> struct : Abi.class.getDeclaredClasses()) {
            String snake = struct.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_");
            for (Field field : struct.getDeclaredFields()) {
                String name = struct == Abi.Const.class
                        ? field.getName()
                        : ("ibv_" + snake + "." + field.getName()).toLowerCase(Locale.ROOT);
                numbers.put(name, (long) field.getInt(null));
            }
        }
        for (int code = 0; code < CompletionStatus.values().length; code++) {
            numbers.put("IBV_WC_" + CompletionStatus.of(code), (long) code);
        }
        return numbers;
    }

    private static int run(Path output, String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return -1;
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
