package io.boltshuffle.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.verbs.Abi;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The assertions of {@code verbs_abi.h}, which every compiler checks for its own target, have the numbers of the Java
 * binding. So a target for which {@code .ci/cross} builds the virtual Thunderbolt is one for which they are right.
 */
class NativeLayoutsTest {
    private static final Path HEADER = Path.of("src", "emulator", "c", "verbs_abi.h");
    private static final Pattern SIZE = Pattern.compile("^VTB_SIZE\\(\\w+ (\\w+), (\\d+)\\);$", Pattern.MULTILINE);
    private static final Pattern OFFSET =
            Pattern.compile("^VTB_AT\\(struct (\\w+), ([\\w.]+), (\\d+)\\);$", Pattern.MULTILINE);
    private static final Pattern ENUMERATOR = Pattern.compile("(IBV_\\w+) = (\\d+)(?: << (\\d+))?[,\\s]");

    /** The emulator's struct is the shorter one that old programs have; the binding gives room for any. */
    private static final String SIZE_THAT_DIFFERS = "ibv_port_attr.size";

    @Test
    void everyOffsetAndSizeOfTheBindingIsAssertedInTheHeader() throws IOException {
        Map<String, Integer> binding = new TreeMap<>();
        for (Class<?> struct : Abi.class.getDeclaredClasses()) {
            if (struct != Abi.Const.class) {
                binding.putAll(numbersOf(struct, cName(struct) + "."));
            }
        }
        assertThat(binding.remove(SIZE_THAT_DIFFERS)).isNotNull();

        assertThat(asserted(Files.readString(HEADER))).containsAllEntriesOf(binding);
    }

    @Test
    void theEnumeratorsOfTheHeaderAreTheBindings() throws IOException {
        Map<String, Integer> header = enumerators(Files.readString(HEADER));
        Map<String, Integer> binding = new HashMap<>(numbersOf(Abi.Const.class, ""));
        binding.keySet().retainAll(header.keySet());

        assertThat(binding).hasSizeGreaterThan(30);
        assertThat(header).containsAllEntriesOf(binding);
    }

    private static Map<String, Integer> numbersOf(Class<?> struct, String prefix) {
        Map<String, Integer> numbers = new HashMap<>();
        for (Field field : struct.getDeclaredFields()) {
            String name = prefix.isEmpty() ? field.getName() : field.getName().toLowerCase(Locale.ROOT);
            try {
                numbers.put(prefix + name, field.getInt(null));
            } catch (IllegalAccessException e) {
                throw new AssertionError("the constants of Abi are public", e);
            }
        }
        return numbers;
    }

    private static String cName(Class<?> struct) {
        String snake = struct.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_");
        return "ibv_" + snake.toLowerCase(Locale.ROOT);
    }

    /** By the names that the binding has: the header's structs lack a level or two that C programs name. */
    private static Map<String, Integer> asserted(String header) {
        Map<String, Integer> asserted = new TreeMap<>();
        for (Matcher size = SIZE.matcher(header); size.find(); ) {
            asserted.put(size.group(1) + ".size", Integer.valueOf(size.group(2)));
        }
        for (Matcher offset = OFFSET.matcher(header); offset.find(); ) {
            String member = offset.group(2)
                    .replaceFirst("^rdma\\.", "wr.rdma.")
                    .replaceFirst("^ah_attr\\.(?=dgid|sgid_index|hop_limit)", "ah_attr.grh.")
                    .replace('.', '_');
            asserted.put(offset.group(1) + "." + member, Integer.valueOf(offset.group(3)));
        }
        return asserted;
    }

    private static Map<String, Integer> enumerators(String header) {
        Map<String, Integer> enumerators = new HashMap<>();
        for (Matcher found = ENUMERATOR.matcher(header); found.find(); ) {
            int shift = found.group(3) == null ? 0 : Integer.parseInt(found.group(3));
            enumerators.put(found.group(1), Integer.parseInt(found.group(2)) << shift);
        }
        return enumerators;
    }
}
