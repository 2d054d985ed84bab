package io.boltshuffle.rdma.link.engine;

import static org.junit.jupiter.api.Assertions.fail;

import io.boltshuffle.rdma.link.SimBudget;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Seeded fault schedules, 2,000 of them, and 10,000 in CI. A longer run: {@code mvn -o test -pl rdma-native
 * -Dtest=LinkSimulationTest -Dbolt.sim.schedules=1000000}.
 */
@Tag("slow")
class LinkSimulationTest {

    private static final long FIRST_SEED = Long.getLong("bolt.sim.firstSeed", 1);
    private static final long SCHEDULES = Long.getLong("bolt.sim.schedules", SimBudget.of(1_000, 10_000));

    @Test
    void everyScheduleEndsWithItsTransfersEndedAndItsMemoryHome() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
            run(seed);
        }
    }

    private static void run(long seed) {
        SimSchedule schedule = new SimSchedule(seed);
        try {
            schedule.run();
        } catch (RuntimeException | AssertionError e) {
            fail(
                    "schedule " + seed + " (" + schedule + "): " + e.getMessage()
                            + "\nAgain with: mvn -o test -pl rdma-native"
                            + " -Dtest=LinkSimulationTest -Dbolt.sim.schedules=1 -Dbolt.sim.firstSeed=" + seed,
                    e);
        }
    }
}
