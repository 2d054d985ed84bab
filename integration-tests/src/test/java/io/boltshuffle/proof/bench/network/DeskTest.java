package io.boltshuffle.proof.bench.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DeskTest {
    private static final double CABLE_BITS_PER_SECOND = 51.2e9;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mac:14c,1g|14|1e9",
                "mac:14c,2.5g|14|2.5e9",
                "mac:12c,10g|12|10e9",
                "mac:32c,bridge|32|40e9",
            })
    void aUsersWordsSayCoresAndNetwork(String text, int cores, double bitsPerSecond) {
        Desk desk = new Desk.Converter().convert(text);

        assertThat(desk).hasToString(text);
        assertThat(desk.cores()).isEqualTo(cores);
        assertThat(desk.network().bandwidth().bitsPerSecond()).isEqualTo(bitsPerSecond);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "mac", "mac:14c", "mac:0c,1g", "mac:14,1g", "mac:14c,5g", "pc:14c,1g", "mac:14c,1g,10g"})
    void anythingElseIsRefusedWithAnExample(String text) {
        assertThatThrownBy(() -> new Desk.Converter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("such as mac:14c,10g");
    }

    @ParameterizedTest
    @CsvSource({"1, 14", "2, 14", "6, 12"})
    void networkAndCableAreBothAsMuchNarrowerAsTheHostIsSmaller(int hostCores, int cores) {
        HeldNetwork held = new Desk(cores, DeskNetwork.GIGABIT_10).scaledTo(hostCores, 1500);
        double scale = hostCores / (double) cores;

        assertThat(held.scale()).isCloseTo(scale, within(1e-12));
        assertThat(held.network().bitsPerSecond()).isCloseTo(10e9 * scale, within(1.0));
        assertThat(held.cableBytesPerSecond()).isCloseTo((long) (CABLE_BITS_PER_SECOND / 8 * scale), within(1L));
    }

    @Test
    void theReportSaysRatesScaleSourcesAndAssumptions() {
        HeldNetwork held = new Desk(14, DeskNetwork.BRIDGE).scaledTo(1, 9000);

        assertThat(held.toText())
                .contains("like Macs of 14 cores with TCP over the Thunderbolt bridge and a Thunderbolt 5 cable")
                .contains("MTU 9000")
                .contains("held to 0.0714 of their rates")
                .contains("40.00 Gbit/s (5.00 GB/s) (40 Gbit/s, the higher figure seen; weak source)")
                .contains("to 2.86 Gbit/s (357.1 MB/s)")
                .contains("51.20 Gbit/s (6.40 GB/s)")
                .contains("to 3.66 Gbit/s (457.1 MB/s)")
                .contains("Assumed: a core here is as fast as theirs");
        assertThat(held.toJson())
                .containsEntry("networkBytesPerSecond", 357_142_857L)
                .containsEntry("cableBytesPerSecond", 457_142_857L)
                .containsEntry("mtuBytes", 9000);
    }
}
