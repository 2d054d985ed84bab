package io.boltshuffle.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Reads many damaged files. One failing case is run again with {@code -Dtopology.seed=<seed>}. */
class MlxFilesMutationTest {

    private static final int CASES = 20_000;
    private static final String ALPHABET = "[]{},:\"\\\u0000\u00e9 0123456789eE.-+nulltruefalserdma_en";

    private static final String DEVICE_FILE = "[[null,\"rdma_en5\",[\"rdma_en3\",\"rdma_en4\"]],"
            + "[\"rdma_en5\",null,null],[[\"rdma_en4\",\"rdma_en3\"],null,null]]";
    private static final String HOSTFILE = "{\"backend\":\"jaccl\",\"envs\":[\"A=1\"],\"hosts\":["
            + "{\"ssh\":\"mac1\",\"ips\":[\"10.0.0.1\"],\"rdma\":[null,\"rdma_en5\"]},"
            + "{\"ssh\":\"mac2\",\"ips\":[],\"rdma\":[\"rdma_en6\",null]}]}";

    @Test
    void aDamagedFileIsReadOrRefusedButNeverCrashes() {
        long first = Long.getLong("topology.seed", 0L);
        int cases = Long.getLong("topology.seed") == null ? CASES : 1;
        int refused = 0;
        int read = 0;
        for (long seed = first; seed < first + cases; seed++) {
            if (survives(seed)) {
                read++;
            } else {
                refused++;
            }
        }
        if (cases == CASES) {
            assertThat(refused).as("mutations that matter").isGreaterThan(CASES / 2);
            assertThat(read).as("mutations that do not").isGreaterThan(CASES / 100);
        }
    }

    private static boolean survives(long seed) {
        Random random = new Random(seed);
        boolean hostfile = random.nextBoolean();
        String text = mutate(hostfile ? HOSTFILE : DEVICE_FILE, random);
        try {
            if (hostfile) {
                MlxHostfile parsed = MlxHostfile.parse(text, "fuzz");
                assertThat(MlxHostfile.parse(parsed.format(), "again")).isEqualTo(parsed);
            } else {
                DeviceMatrix parsed = MlxDeviceFile.parse(text, "fuzz");
                assertThat(MlxDeviceFile.parse(MlxDeviceFile.format(parsed), "again"))
                        .isEqualTo(parsed);
            }
            return true;
        } catch (InvalidTopologyException documented) {
            assertThat(documented).hasMessageStartingWith("fuzz").hasMessageContaining("expected ");
            return false;
        } catch (RuntimeException | AssertionError crash) {
            throw new AssertionError("run again with -Dtopology.seed=" + seed + ", on: " + text, crash);
        }
    }

    private static String mutate(String text, Random random) {
        StringBuilder damaged = new StringBuilder(text);
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(damaged.length());
            int end = Math.min(damaged.length(), at + 1 + random.nextInt(12));
            switch (random.nextInt(5)) {
                case 0 -> damaged.setCharAt(at, ALPHABET.charAt(random.nextInt(ALPHABET.length())));
                case 1 -> damaged.insert(at, ALPHABET.charAt(random.nextInt(ALPHABET.length())));
                case 2 -> damaged.delete(at, end).append(' ');
                case 3 -> damaged.insert(random.nextInt(damaged.length()), damaged.substring(at, end));
                default -> damaged.insert(at, "[".repeat(random.nextInt(40)));
            }
        }
        return damaged.toString();
    }
}
