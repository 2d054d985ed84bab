package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.wire.BlockRange;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShuffleBlockNameTest {

    /** The form of the names, stated independently of the parser. */
    private static final Pattern FORM =
            Pattern.compile("shuffle_([0-9]{1,10})_([0-9]{1,18})_([0-9]{1,10})(?:_([0-9]{1,10}))?");

    @ParameterizedTest
    @CsvSource({
        "shuffle_0_0_0, 0, 0, 0, 1",
        "shuffle_1_22_333, 1, 22, 333, 334",
        "shuffle_1_22_3_5, 1, 22, 3, 5",
        "shuffle_2147483644_999999999999999999_2147483646, 2147483644, 999999999999999999, 2147483646, 2147483647",
        "shuffle_007_08_09, 7, 8, 9, 10",
    })
    void aNameDenotesItsBlocks(String name, int shuffle, long map, int start, int end) {
        assertThat(ShuffleBlockName.parse(name)).contains(new BlockRange(shuffle, map, start, end));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "shuffle_",
                "shuffle_1",
                "shuffle_1_2",
                "shuffle_1_2_",
                "shuffle_1_2_3_",
                "shuffle_1_2_3_3",
                "shuffle_1_2_4_3",
                "shuffle_1_2_3_4_5",
                "shuffle_1_2_3 ",
                "shuffle__2_3",
                "shuffle_-1_2_3",
                "shuffle_2147483648_2_3",
                "shuffle_1_2_2147483647",
                "shuffle_2147483647_1_2", // stands for a block in memory
                "shuffle_1_1000000000000000000_3",
                "shuffle_1_2_\u0663",
                "shuffle_1_2_3.data",
                "shufflePush_1_2_3_4",
                "rdd_1_2",
            })
    void whatIsNoShuffleBlockDenotesNone(String name) {
        assertThat(ShuffleBlockName.parse(name)).isEmpty();
    }

    @Test
    void itAgreesWithAPatternOnNamesOfAnyForm() {
        Random random = new Random(32);
        String letters = "0123456789__x";
        int good = 0;
        for (int i = 0; i < 200_000; i++) {
            StringBuilder name = new StringBuilder("shuffle_");
            for (int length = random.nextInt(24); length > 0; length--) {
                name.append(letters.charAt(random.nextInt(letters.length())));
            }
            Optional<BlockRange> expected = byPattern(name.toString());
            good += expected.isPresent() ? 1 : 0;

            assertThat(ShuffleBlockName.parse(name.toString()))
                    .as(name.toString())
                    .isEqualTo(expected);
        }
        assertThat(good).isGreaterThan(1_000);
    }

    private static Optional<BlockRange> byPattern(String blockId) {
        Matcher name = FORM.matcher(blockId);
        if (!name.matches()) {
            return Optional.empty();
        }
        long start = Long.parseLong(name.group(3));
        long end = name.group(4) == null ? start + 1 : Long.parseLong(name.group(4));
        long shuffle = Long.parseLong(name.group(1));
        return shuffle > Integer.MAX_VALUE || end > Integer.MAX_VALUE || end <= start
                ? Optional.empty()
                : Optional.of(new BlockRange((int) shuffle, Long.parseLong(name.group(2)), (int) start, (int) end));
    }
}
