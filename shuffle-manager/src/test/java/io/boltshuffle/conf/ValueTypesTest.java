package io.boltshuffle.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueTypesTest {
    private static final ValueType<Long> SIZE = ValueTypes.size(4096, 1L << 40);
    private static final ValueType<Duration> TIME = ValueTypes.time(Duration.ofMillis(1), Duration.ofHours(2));
    private static final ValueType<Integer> NUMBER = ValueTypes.wholeNumber(1, 64);
    private static final ValueType<TimeUnit> CHOICE = ValueTypes.oneOf(TimeUnit.class);

    @ParameterizedTest
    @CsvSource({"4096, 4096", "4k, 4096", "16MB, 16777216", "2 g, 2147483648", "1t, 1099511627776", "5000b, 5000"})
    void sizesAreReadInSparksNotation(String text, long bytes) {
        assertThat(SIZE.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "4095", "2t", "-4k", "1.5g", "4kib", "999999999999999999g", "many"})
    void sizesOutsideTheLimitsAreRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> SIZE.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"250ms, PT0.25S", "5s, PT5S", "3m, PT3M", "3min, PT3M", "1 h, PT1H"})
    void timesAreReadInSparksNotation(String text, Duration time) {
        assertThat(TIME.parse(text)).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "0ms", "121min", "-1s", "5d"})
    void timesOutsideTheLimitsOrWithoutUnitAreRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> TIME.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65", "", "1.0", "one", "99999999999"})
    void numbersOutsideTheLimitsAreRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> NUMBER.parse(text));
    }

    @Test
    void bothEndsOfARangeAreLegal() {
        assertThat(NUMBER.parse("1")).isEqualTo(1);
        assertThat(NUMBER.parse("64")).isEqualTo(64);
    }

    @Test
    void aChoiceIsOneOfTheNames() {
        assertThat(CHOICE.parse("Seconds")).isEqualTo(TimeUnit.SECONDS);
        assertThat(CHOICE.limits()).contains("seconds, minutes");
        assertThatIllegalArgumentException().isThrownBy(() -> CHOICE.parse("weeks"));
    }

    @ParameterizedTest
    @ValueSource(longs = {4096, 5000, 1 << 20, 3L << 30, 1L << 40})
    void aSizeIsWrittenSoThatItIsReadBack(long bytes) {
        assertThat(SIZE.parse(SIZE.format(bytes))).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 999, 1000, 90_000, 120_000, 3_600_000, 5_400_000})
    void aTimeIsWrittenSoThatItIsReadBack(long millis) {
        assertThat(TIME.parse(TIME.format(Duration.ofMillis(millis)))).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void limitsAreWrittenInTheLargestExactUnit() {
        assertThat(SIZE.limits()).isEqualTo("a size from 4k to 1t");
        assertThat(TIME.limits()).isEqualTo("a time from 1ms to 2h, with its unit");
        assertThat(ValueTypes.size(0, 1500).limits()).isEqualTo("a size from 0 to 1500");
    }
}
