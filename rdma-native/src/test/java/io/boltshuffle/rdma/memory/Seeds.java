package io.boltshuffle.rdma.memory;

import java.util.concurrent.ThreadLocalRandom;

/** Seeds of random tests: a new one each time, or the one that {@code -Dboltshuffle.seed} asks for. */
final class Seeds {

    private static final String PROPERTY = "boltshuffle.seed";

    private Seeds() {}

    static long choose() {
        Long asked = Long.getLong(PROPERTY);
        return asked != null ? asked : ThreadLocalRandom.current().nextLong();
    }

    /** Runs a test body; a failure says how to run it again. */
    static void reported(long seed, Class<?> test, Runnable body) {
        try {
            body.run();
        } catch (RuntimeException | Error e) {
            throw new AssertionError(
                    "to run this again: mvn -pl rdma-native test -Dtest=" + test.getSimpleName() + " -D" + PROPERTY
                            + "=" + seed,
                    e);
        }
    }
}
