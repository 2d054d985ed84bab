package io.boltshuffle.rdma.link.engine;

import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Test;

/**
 * Seeded fault schedules, 10,000 of them. A longer run: {@code mvn -o test -pl rdma-native -Dtest=LinkSimulationTest
 * -Dbolt.sim.schedules=1000000}.
 */
class LinkSimulationTest {

    private static final long FIRST_SEED = Long.getLong("bolt.sim.firstSeed", 1);
    private static final long SCHEDULES = Long.getLong("bolt.sim.schedules", 10_000);

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
