package io.boltshuffle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TeraRecordTest {
    @Test
    void aRowIsAFunctionOfItsNumber() {
        assertThat(TeraRecord.row(7)).hasSize(100).isEqualTo(TeraRecord.row(7)).isNotEqualTo(TeraRecord.row(8));
    }

    @Test
    void aRowBearsItsNumberInHexadecimal() {
        String number = new String(TeraRecord.row(0xABCDEF), 12, 32, StandardCharsets.US_ASCII);

        assertThat(number).isEqualTo("00000000000000000000000000ABCDEF");
    }

    @Test
    void keysAreSpreadOverTheWholeRange() {
        Set<Integer> firstBytes = new HashSet<>();
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            byte[] row = TeraRecord.row(i);
            firstBytes.add((int) row[0]);
            keys.add(Arrays.toString(Arrays.copyOf(row, TeraRecord.KEY_BYTES)));
        }

        assertThat(firstBytes).hasSize(256);
        assertThat(keys).hasSize(10_000);
    }

    @Test
    void keysAreComparedUnsigned() {
        byte[] small = new byte[TeraRecord.KEY_BYTES];
        byte[] large = new byte[TeraRecord.KEY_BYTES];
        small[0] = 0x7F;
        large[0] = (byte) 0x80;

        assertThat(TeraRecord.KEY_ORDER.compare(small, large)).isNegative();
    }
}
