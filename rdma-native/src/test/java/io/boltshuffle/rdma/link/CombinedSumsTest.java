package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CombinedSumsTest {

    private static final int LENGTH = 200_000;

    private final CombinedSums sums = new CombinedSums();
    private final byte[] bytes = new byte[LENGTH];

    CombinedSumsTest() {
        new Random(1).nextBytes(bytes);
    }

    private int sum(int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, to - from);
        return (int) crc.getValue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 7, 4095, 4096, 65536, 131_071, LENGTH - 1, LENGTH})
    void twoSumsMakeThatOfTheWhole(int cut) {
        int whole = sum(0, LENGTH);

        assertThat(sums.join(sum(0, cut), sum(cut, LENGTH), LENGTH - cut)).isEqualTo(whole);
        assertThat(sums.rest(whole, sum(0, cut), LENGTH - cut)).isEqualTo(sum(cut, LENGTH));
    }

    @Test
    void manyPartsOfRandomLengthsMakeThatOfTheWhole() {
        Random random = new Random(2);
        int joined = CombinedSums.EMPTY;
        for (int at = 0; at < LENGTH; ) {
            int end = Math.min(LENGTH, at + 1 + random.nextInt(random.nextBoolean() ? 10 : 9000));
            joined = sums.join(joined, sum(at, end), end - at);
            at = end;
        }
        assertThat(joined).isEqualTo(sum(0, LENGTH));
    }

    /** Zeros do not change what is all zeros but its sum: lengths count beyond what an array can hold. */
    @Test
    void lengthsBeyondFourGibibytesCount() {
        CRC32C crc = new CRC32C();
        byte[] zeros = new byte[1 << 20];
        for (int i = 0; i < 1 << 10; i++) {
            crc.update(zeros);
        }
        int gibibyte = (int) crc.getValue();
        int eight = CombinedSums.EMPTY;
        for (int i = 0; i < 8; i++) {
            eight = sums.join(eight, gibibyte, 1L << 30);
        }
        int four = CombinedSums.EMPTY;
        for (int i = 0; i < 4; i++) {
            four = sums.join(four, gibibyte, 1L << 30);
        }
        assertThat(sums.join(four, four, 4L << 30)).isEqualTo(eight);
    }
}
