package io.boltshuffle.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes nobody meant: each decoder answers with a message or a {@link WireException}, whatever it is given. */
class CodecFuzzTest {

    private static final long SEED = Long.getLong("boltshuffle.fuzz.seed", 20261121L);
    private static final int ROUNDS = Integer.getInteger("boltshuffle.fuzz.rounds", 100_000);

    @Test
    void randomBytesNeverBreakADecoder() {
        List<Sample> samples = Sample.all().toList();
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            if (bytes.length > 0) {
                bytes[0] = (byte) random.nextInt(16);
            }
            decode(samples.get(random.nextInt(samples.size())), bytes, round);
        }
    }

    @Test
    void changedMessagesNeverBreakADecoder() {
        List<Sample> samples = Sample.all().toList();
        Random random = new Random(SEED);
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Sample sample = samples.get(random.nextInt(samples.size()));
            ByteBuffer body = CodecTest.body(sample.frame());
            byte[] bytes = new byte[body.remaining()];
            body.get(bytes);
            for (int change = random.nextInt(3); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            refused += decode(sample, bytes, round) ? 0 : 1;
        }
        assertThat(refused).as("messages refused of %d", ROUNDS).isBetween(ROUNDS / 10, ROUNDS - ROUNDS / 10);
    }

    private static boolean decode(Sample sample, byte[] bytes, int round) {
        try {
            sample.decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (WireException e) {
            return false;
        } catch (RuntimeException | OutOfMemoryError e) {
            return fail("round " + round + ", again with -Dboltshuffle.fuzz.seed=" + SEED, e);
        }
    }
}
