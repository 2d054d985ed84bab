package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The slab between two processes. */
@Timeout(60)
class SlabProcessTest {

    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @EnumSource
    void anotherProcessReadsWhatTheOwnerWritesEvenWhenTheNameIsGone(SlabLocation.Kind kind) throws Exception {
        try (Slab slab = Slab.create(TestSlabs.location(kind), 4 * MIB)) {
            SlabDescriptor told = slab.descriptor();
            Process child = java(List.of(), childArguments(told)).start();
            try (Writer requests = child.outputWriter();
                    BufferedReader answers = child.inputReader()) {
                assertThat(answers.readLine()).isEqualTo("mapped");
                for (int value = 1; value < 100; value++) {
                    long offset = value * 40_000L;
                    slab.view(offset, Integer.BYTES).putInt(value);
                    assertThat(ask(requests, answers, offset)).isEqualTo(String.valueOf(value));
                }
                assertThat(ask(requests, answers, "write")).isEqualTo("read-only");
                assertThat(mappings(child, told))
                        .isNotEmpty()
                        .allSatisfy(line -> assertThat(line).contains(" r--s "));
                slab.unlink();
                assertThat(ask(requests, answers, 40_000)).isEqualTo("1");
            } finally {
                child.destroy();
                assertThat(child.waitFor(20, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void aSlabLargerThanItsTmpfsIsRefusedBeforeAnyOfItIsTaken(@TempDir Path directory) throws Exception {
        assertThat(onSmallTmpfs(directory, "create"))
                .startsWith("refused, file gone")
                .contains("has room for 1048576");
    }

    @Test
    void aTmpfsThatFillsUpMeanwhileIsAnExceptionAndNotASignal(@TempDir Path directory) throws Exception {
        assertThat(onSmallTmpfs(directory, "allocate"))
                .startsWith("refused: posix_fallocate")
                .contains("No space left on device")
                .contains("smaller slab");
    }

    /** Runs a command for 2 MiB on a tmpfs of 1 MiB, in a mount namespace of its own. */
    private static String onSmallTmpfs(Path directory, String command) throws Exception {
        List<String> unshare = List.of("unshare", "--user", "--map-root-user", "--mount", "sh", "-c");
        assumeTrue(canMountTmpfs(unshare), "this host lets users mount nothing");
        List<String> prefix = new ArrayList<>(unshare);
        prefix.add("mount -t tmpfs -o size=1m tmpfs '" + directory + "' && exec \"$0\" \"$@\"");
        Process child = java(prefix, List.of(command, directory.toString(), String.valueOf(2 * MIB)))
                .start();
        try (BufferedReader answers = child.inputReader()) {
            return answers.readLine();
        } finally {
            child.destroy();
            assertThat(child.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static boolean canMountTmpfs(List<String> unshare) throws InterruptedException {
        List<String> command = new ArrayList<>(unshare);
        command.add("mount -t tmpfs tmpfs /tmp");
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> childArguments(SlabDescriptor told) {
        return List.of(
                told.location().kind().name(),
                told.location().name(),
                String.valueOf(told.bytes()),
                String.valueOf(told.identityHigh()),
                String.valueOf(told.identityLow()));
    }

    private static ProcessBuilder java(List<String> prefix, List<String> arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-cp", System.getProperty("java.class.path"), SlabChild.class.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    private static String ask(Writer requests, BufferedReader answers, Object request) throws IOException {
        requests.write(request + "\n");
        requests.flush();
        return answers.readLine();
    }

    private static List<String> mappings(Process process, SlabDescriptor told) throws IOException {
        String file = Path.of(told.location().name()).getFileName().toString();
        try (var lines = Files.lines(Path.of("/proc", String.valueOf(process.pid()), "maps"))) {
            return lines.filter(line -> line.contains(file)).toList();
        }
    }
}
