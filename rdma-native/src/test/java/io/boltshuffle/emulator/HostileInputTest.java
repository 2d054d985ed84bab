package io.boltshuffle.emulator;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The virtual Thunderbolt's programs with words, topologies and shared files that make no sense: they do as they are
 * told or say what is wrong, and come to their end. A longer run:
 * {@code -Dboltshuffle.fuzz.rounds=100000 -Dboltshuffle.fuzz.seed=1}.
 */
class HostileInputTest {
    private static final Path EMULATOR = Path.of("target", "emulator").toAbsolutePath();
    private static final long SEED = Long.getLong("boltshuffle.fuzz.seed", 20261122L);

    /** Each is a process. */
    private static final int ROUNDS = Integer.getInteger("boltshuffle.fuzz.rounds", 20_000) / 400;

    private static final long TIMEOUT_SECONDS = 120;
    private static final String TOPOLOGY = """
            host a
            host b
            port a:en9 ipv4 10.1.2.3
            cable c a:en2 b:en3 gbps 40 bytes_per_second 1000000
            """;

    private static final List<List<String>> BEGINNINGS = List.of(
            List.of(),
            List.of("cable", "c"),
            List.of("cable", "c", "from", "a:en2"),
            List.of("port", "a:en2"),
            List.of("port", "a:en2", "stuck", "create_qp"));

    /** No long time among them: {@code flap} waits for as long as it is told. */
    private static final List<String> WORDS = Stream.concat(
                    Stream.of(("cable c port a:en2 b:en3 a:en9 from pull plug flap hold mute lose corrupt marked late "
                                    + "error gbps clear stuck queue_pairs rtr alloc_pd stats clean segv silent "
                                    + "active after renamed on off rate seed next send receive 0 1 2 64 -1 +1 "
                                    + "0x10 4294967296 18446744073709551615 1e999 nan inf 0.5 -0 %s%n")
                            .split(" ", -1)),
                    Stream.of("", " ", " -1", "x".repeat(5_000), "\u00ff"))
            .toList();

    private final Random random = new Random(SEED);
    private final Path topology;

    HostileInputTest(@TempDir Path directory) {
        this.topology = directory.resolve("topology");
    }

    @BeforeEach
    void aCable() throws IOException {
        Files.writeString(topology, TOPOLOGY);
    }

    @Test
    void wordsThatMakeNoSenseAreRefused() throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            List<String> words = new ArrayList<>(BEGINNINGS.get(random.nextInt(BEGINNINGS.size())));
            for (int left = random.nextInt(6); left >= 0; left--) {
                words.add(WORDS.get(random.nextInt(WORDS.size())));
            }
            control(words);
        }
    }

    @Test
    void aDamagedSharedFileIsReadOrMadeAnew() throws IOException {
        Path shared = topology.resolveSibling("topology.state").resolve("fabric");
        for (int round = 0; round < ROUNDS; round++) {
            control(List.of("cable", "c", "clear"));
            damage(shared);
            assertThat(control(List.of("stats")).output())
                    .startsWith("{\"copy\":")
                    .endsWith("]}\n");
            control(List.of("cable", "c", "pull", "after", "3"));
        }
    }

    @Test
    void aSharedFileThatCannotBeOneIsSaidToBeNone() throws IOException {
        Files.createDirectories(topology.resolveSibling("topology.state").resolve("fabric"));
        FinishedProcess stats = control(List.of("stats"));
        assertThat(stats.exitCode()).isEqualTo(1);
        assertThat(stats.output()).contains("fabric: Is a directory");
    }

    @Test
    void damagedTopologiesAreRefusedWithTheirLine() throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            StringBuilder damaged = new StringBuilder(TOPOLOGY + "option queue_pairs 5\n");
            for (int left = random.nextInt(3); left >= 0; left--) {
                int at = random.nextInt(damaged.length());
                switch (random.nextInt(4)) {
                    case 0 -> damaged.setCharAt(at, (char) random.nextInt(256));
                    case 1 -> damaged.insert(at, WORDS.get(random.nextInt(WORDS.size())));
                    case 2 -> damaged.delete(at, Math.min(damaged.length(), at + 1 + random.nextInt(20)));
                    default -> damaged.append(damaged.substring(at));
                }
            }
            Files.writeString(topology, damaged, ISO_8859_1);
            control(List.of("stats"));
        }
    }

    @Test
    void namesThatWouldBreakTheStatisticsAreRefused() throws IOException {
        for (String name : List.of("a\"", "a\\", "a\u0001", "\u00e9", "x".repeat(40))) {
            Files.writeString(topology, "host b\nhost " + name + "\n");
            FinishedProcess stats = control(List.of("stats"));
            assertThat(stats.exitCode()).as(name).isEqualTo(1);
            assertThat(stats.output()).contains("topology:2: name ");
        }
    }

    @Test
    void theBenchRefusesHostsWithoutAName() throws IOException {
        for (String host : List.of("", ":", ":rdma_en2")) {
            List<String> command = List.of(EMULATOR.resolve("vtbbench").toString(), topology.toString(), host, "b");
            FinishedProcess bench = run(command);
            assertThat(bench.exitCode()).as(bench.output()).isIn(1, 2);
        }
    }

    private void damage(Path shared) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(shared.toFile(), "rw")) {
            switch (random.nextInt(4)) {
                case 0 -> file.setLength(random.nextInt((int) file.length()));
                case 1 -> file.setLength(file.length() + random.nextInt(1 << 20));
                default -> {
                    // Half of it in the cables' part, which comes first and is small; half of that behind the magic
                    // number.
                    int end = random.nextBoolean() ? 2_000 : (int) file.length();
                    for (int left = random.nextInt(100); left >= 0; left--) {
                        byte[] bytes = new byte[1 + random.nextInt(8)];
                        random.nextBytes(bytes);
                        int start = random.nextBoolean() ? 16 : 0;
                        file.seek(start + random.nextInt(end - start));
                        file.write(bytes);
                    }
                }
            }
        }
    }

    /** Fails when the program crashes, hangs, or fails without a word. */
    private FinishedProcess control(List<String> words) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(EMULATOR.resolve("vtbctl").toString(), topology.toString()));
        command.addAll(words);
        return run(command);
    }

    private static FinishedProcess run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        FinishedProcess finished = FinishedProcess.of(process, TIMEOUT_SECONDS).join();
        assertThat(finished.exitCode())
                .as("%s, seed %d: %s", command, SEED, finished.output())
                .isIn(0, 1, 2);
        if (finished.exitCode() != 0) {
            assertThat(finished.output()).as("%s, seed %d", command, SEED).isNotBlank();
        }
        return finished;
    }
}
