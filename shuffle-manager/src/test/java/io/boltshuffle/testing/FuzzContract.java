package io.boltshuffle.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import io.boltshuffle.rdma.link.SimBudget;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The duties of every decoder of input that others wrote: it reads an input or refuses it as it says it does, takes
 * memory in proportion to what arrived, not to what was announced, and comes to an end.
 *
 * <p>A longer run: {@code -Dboltshuffle.fuzz.rounds=10000000 -Dboltshuffle.fuzz.seed=1}. An input that breaks a decoder
 * is written to {@code target/fuzz}; kept in {@code src/test/resources/fuzz}, it is tried in every build from then on.
 * So is what {@link GuidedFuzz} has found by an hour of looking for new ways through the decoders.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class FuzzContract {
    private static final long SEED = Long.getLong("boltshuffle.fuzz.seed", 20261121L);
    private static final int ROUNDS = Integer.getInteger("boltshuffle.fuzz.rounds", SimBudget.of(5_000, 20_000));

    /** This limits the thread's processor time, so that a busy machine does not count. */
    private static final long LONGEST_NANOS = Duration.ofSeconds(5).toNanos();

    /** Exceptions with their stack traces, builders, tables of parsers. */
    private static final long ALLOWED_BYTES = 1 << 20;

    private static final long ALLOWED_PER_BYTE = 400;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Path CASES = Path.of("src/test/resources/fuzz");

    /** Returns the decoders that this class is about. */
    protected abstract Stream<FuzzTarget> targets();

    /** One in so many of the rounds is enough: for what goes through files, which takes its time. */
    protected int thinning() {
        return 1;
    }

    @ParameterizedTest
    @MethodSource("targets")
    @Timeout(300)
    void whatBelongsThereIsRead(FuzzTarget target) throws Exception {
        for (byte[] sample : target.samples()) {
            target.decoder().decode(sample);
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    @Timeout(300)
    void whatBrokeItOnceDoesSoNoMore(FuzzTarget target) throws IOException {
        Path cases = CASES.resolve(target.name());
        if (Files.isDirectory(cases)) {
            try (Stream<Path> files = Files.list(cases)) {
                for (Path file : files.sorted().toList()) {
                    check(target, Files.readAllBytes(file), file.toString());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    @Timeout(300)
    void whatAGuidedRunFoundIsReadOrRefused(FuzzTarget target) throws Exception {
        whatBelongsThereIsRead(target); // so that no input pays for the decoder's classes
        FuzzCorpus corpus = new FuzzCorpus(FuzzCorpus.DIRECTORY.resolve(target.name() + ".txt"));
        for (byte[] input : corpus.inputs()) {
            check(target, input, corpus.file().toString());
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    @Timeout(600)
    void whateverArrivesIsReadOrRefused(FuzzTarget target) {
        Random seeds = new Random(SEED);
        List<byte[]> samples = target.samples();
        for (int round = 0; round < ROUNDS / thinning(); round++) {
            long seed = seeds.nextLong();
            check(target, new Mutation(seed, samples).next(), "round " + round + " of seed " + SEED);
        }
    }

    private static void check(FuzzTarget target, byte[] input, String origin) {
        check(target, input, origin, ALLOWED_BYTES);
    }

    /**
     * Fails if a decoder breaks a rule.
     *
     * @param allowedBytes that it may take beside what it may take for each byte of the input
     */
    static void check(FuzzTarget target, byte[] input, String origin, long allowedBytes) {
        long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
        long nanosBefore = THREADS.getCurrentThreadCpuTime();
        try {
            target.decoder().decode(input);
        } catch (Exception | OutOfMemoryError | StackOverflowError | AssertionError e) {
            if (target.refusals().stream().noneMatch(refusal -> refusal.isInstance(e))) {
                fail(origin + ": " + e + ", on " + kept(target, input), e);
            }
        }
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
        if (bytes > allowedBytes + ALLOWED_PER_BYTE * input.length) {
            fail(origin + ": " + bytes + " bytes were taken for " + input.length + ", on " + kept(target, input));
        }
        long nanos = THREADS.getCurrentThreadCpuTime() - nanosBefore;
        if (nanos > LONGEST_NANOS) {
            fail(origin + ": it took " + nanos + " ns, on " + kept(target, input));
        }
    }

    private static String kept(FuzzTarget target, byte[] input) {
        try {
            Path directory = Files.createDirectories(Path.of("target/fuzz").resolve(target.name()));
            Path file = directory.resolve(UUID.nameUUIDFromBytes(input).toString());
            Files.write(file, input);
            String text = new String(input, 0, Math.min(input.length, 200), ISO_8859_1);
            return file + ": " + text.replaceAll("[^\\x20-\\x7e]", ".");
        } catch (IOException e) {
            return "an input that could not be kept: " + e;
        }
    }
}
