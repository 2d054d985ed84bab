package io.boltshuffle.proof.bench.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.cluster.ClusterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class NetworkOptionsTest {
    private static final ClusterSpec TWO_HOSTS_OF_TWO_CORES = new ClusterSpec(2, 2, "1024m");

    /** A verb with these options. */
    @Command
    static final class Verb {
        @Mixin
        private final NetworkOptions network = new NetworkOptions();
    }

    private static NetworkOptions parsed(String... arguments) {
        Verb verb = new Verb();
        new CommandLine(verb).parseArgs(arguments);
        return verb.network;
    }

    @Test
    void withoutAnOptionNothingIsHeldAndNothingIsNeeded() {
        NetworkOptions none = parsed();

        none.check(TWO_HOSTS_OF_TWO_CORES);
        assertThat(none.held(TWO_HOSTS_OF_TWO_CORES)).isEmpty();
    }

    @Test
    void ratesAreScaledByTheCoresThatAHostHas() {
        assertThat(parsed("--like", "mac:16c,1g").held(TWO_HOSTS_OF_TWO_CORES))
                .hasValueSatisfying(
                        held -> assertThat(held.network().bytesPerSecond()).isEqualTo(15_625_000));
    }

    @Test
    void aRateOfTheUsersChoiceIsTakenAsItIs() {
        assertThat(parsed("--network", "80mbit", "--cable-rate", "1gbit", "--mtu", "9000")
                        .held(TWO_HOSTS_OF_TWO_CORES))
                .hasValueSatisfying(held -> {
                    assertThat(held.network().bytesPerSecond()).isEqualTo(10_000_000);
                    assertThat(held.cableBytesPerSecond()).isEqualTo(125_000_000);
                    assertThat(held.mtuBytes()).isEqualTo(9000);
                    assertThat(held.scale()).isEqualTo(1);
                });
        assertThat(parsed("--network", "80mbit").held(TWO_HOSTS_OF_TWO_CORES))
                .hasValueSatisfying(
                        held -> assertThat(held.cableBytesPerSecond()).isZero());
    }

    @ParameterizedTest
    @CsvSource({
        "--like mac:14c;1g --network 1gbit, --like and --network exclude each other",
        "--like mac:14c;1g --cable-rate 1gbit, --cable-rate needs --network",
        "--cable-rate 1gbit, --cable-rate needs --network",
        "--like mac:14c;1g --mtu 1400, --mtu is 1400; it has to be 1500 or 9000",
    })
    void whatMakesNoSenseIsRefusedBeforeAnythingIsMade(String words, String message) {
        NetworkOptions options = parsed(words.replace(';', ',').split(" ", -1));

        assertThatThrownBy(() -> options.check(TWO_HOSTS_OF_TWO_CORES))
                .isInstanceOfSatisfying(
                        BoltException.class,
                        refused -> assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE))
                .hasMessageContaining(message);
    }
}
