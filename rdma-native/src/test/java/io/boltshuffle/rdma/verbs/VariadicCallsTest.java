package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Library;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Functions of C with a variable number of arguments are declared so, because macOS on arm64 passes those arguments on
 * the stack and all others in registers: a call by another declaration works on every other platform.
 */
class VariadicCallsTest {
    private static final List<Path> CLASSES = List.of(Path.of("target", "classes"), Path.of("target", "test-classes"));

    /** The variadic functions of the C libraries of Linux and macOS; {@code shm_open} is one on macOS only. */
    private static final Set<String> VARIADIC = Set.of(
            "fcntl",
            "fprintf",
            "ioctl",
            "open",
            "openat",
            "prctl",
            "printf",
            "sem_open",
            "semctl",
            "shm_open",
            "snprintf",
            "syscall",
            "syslog");

    @Test
    void exactlyTheFunctionsThatTakeAnyNumberOfArgumentsAreDeclaredSo() throws IOException {
        List<Method> functions = functions();

        assertThat(functions).extracting(Method::getName).contains("open", "shm_open", "mmap", "ibv_modify_qp");
        assertThat(functions)
                .allSatisfy(function ->
                        assertThat(function.isVarArgs()).as("%s", function).isEqualTo(isVariadic(function)));
    }

    private static boolean isVariadic(Method function) {
        return VARIADIC.contains(function.getName());
    }

    /** Returns the functions of all interfaces by which this module and its tests call native libraries. */
    private static List<Method> functions() throws IOException {
        return Stream.concat(classesBelow(CLASSES.get(0)), classesBelow(CLASSES.get(1)))
                .filter(type -> type.isInterface() && Library.class.isAssignableFrom(type))
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .toList();
    }

    private static Stream<Class<?>> classesBelow(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files
                    .filter(file -> file.toString().endsWith(".class"))
                    .map(file -> root.relativize(file).toString())
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> name.startsWith("io.boltshuffle.") && !name.endsWith("-info"))
                    .<Class<?>>map(VariadicCallsTest::load)
                    .toList()
                    .stream();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, VariadicCallsTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError("a class beside this one cannot be found", e);
        }
    }
}
