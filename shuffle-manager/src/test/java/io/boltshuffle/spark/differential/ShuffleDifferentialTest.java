package io.boltshuffle.spark.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.boltshuffle.rdma.link.SimBudget;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plugin's shuffle and Spark's write and read the same, and end alike.
 *
 * <p>A longer run: {@code -Dboltshuffle.differential.seconds=3600 -Dboltshuffle.differential.seed=1000}. What fails is
 * printed with the command that runs it again; mended, it becomes a line of {@link ShuffleDifferenceTest}.
 */
@Tag("slow")
class ShuffleDifferentialTest {
    private static final String TRIAL = "boltshuffle.differential.trial";
    private static final long FIRST_SEED = Long.getLong("boltshuffle.differential.seed", 0L);
    private static final long BUDGET_NANOS =
            TimeUnit.SECONDS.toNanos(Long.getLong("boltshuffle.differential.seconds", SimBudget.of(0, 35)));

    /** In so many trials each value of each dimension occurs. They run whatever time they take. */
    private static final int LEAST_TRIALS = 32 * Trial.OF_A_SITE;

    private static final int MOST_FAILURES = 10;

    private final Path directory;

    ShuffleDifferentialTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void thePluginWritesAndReadsAsSparkDoes() {
        Coverage coverage = new Coverage();
        List<String> failures = new ArrayList<>();
        long start = System.nanoTime();
        try (Trials trials = new Trials(directory)) {
            for (long seed = FIRST_SEED;
                    trials.count() < LEAST_TRIALS || System.nanoTime() - start < BUDGET_NANOS;
                    seed++) {
                Trial trial = Trial.ofSeed(seed, coverage);
                List<String> complaints = trials.run(trial);
                if (!complaints.isEmpty()) {
                    Trial smallest = failures.isEmpty() ? trials.shrunk(trial) : trial;
                    failures.add(report(seed, smallest, complaints));
                }
                if (failures.size() == MOST_FAILURES) {
                    break;
                }
            }
            System.out.println(trials);
            assertThat(failures).as(String.join("\n", failures)).isEmpty();
            assertThat(coverage.missing())
                    .as("values that no trial had, of %s", coverage)
                    .isEmpty();
            assertThat(trials.byPlugin()).as("trials of the plugin's writer").isGreaterThan(trials.count() / 3);
        }
    }

    private static String report(long seed, Trial trial, List<String> complaints) {
        return "seed " + seed + ": " + complaints + "\n    to run this again: ./mvnw -q -pl shuffle-manager -am test"
                + " -Dtest='ShuffleDifferentialTest#aTrialOfThePropertyHolds' -Dsurefire.failIfNoSpecifiedTests=false"
                + " -D" + TRIAL + "='" + trial + "'";
    }

    @Test
    @EnabledIfSystemProperty(named = TRIAL, matches = ".+")
    void aTrialOfThePropertyHolds() {
        Trial trial = Trial.ofLine(System.getProperty(TRIAL));
        try (Trials trials = new Trials(directory)) {
            List<String> complaints = trials.run(trial);
            if (!complaints.isEmpty()) {
                fail(complaints + "\n" + trials.shrunk(trial));
            }
        }
    }

    @Test
    void aTrialIsDrawnAgainFromItsLine() {
        for (long seed = 0; seed < 200; seed++) {
            Trial trial = Trial.ofSeed(seed, new Coverage());

            assertThat(Trial.ofLine(trial.toString()).choices()).isEqualTo(trial.choices());
        }
    }
}
