package io.boltshuffle.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that the type of an option would allow and that its user does not want. */
class HostileValuesTest {

    private static final List<String> VALUES = List.of(
            "",
            " ",
            "0",
            "-1",
            "1",
            "1b",
            "0s",
            "1ms",
            "-1s",
            "5",
            "999999999999h",
            "999999999999999999t",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "2147483648",
            "65536",
            "NaN",
            "1e9",
            "0x10",
            "true",
            "yes",
            "auto",
            "a,,b",
            "a,a",
            "relative/path",
            "~/file",
            "/absolute",
            "\0",
            "/a\0b",
            "\n",
            "x".repeat(5000));

    /** Values of each option that must not get through. A new option belongs here, too. */
    private static final Map<Option<?>, List<String>> REFUSED = Map.ofEntries(
            Map.entry(Options.ENABLED, List.of("", "0", "1", "yes", "on")),
            Map.entry(Options.ALLOW_CLEARTEXT, List.of("", "0", "1", "yes", "on")),
            Map.entry(Options.SQL_ROWS, List.of("", "0", "1", "yes", "on")),
            Map.entry(Options.FETCH_TRACE, List.of("relative", "~/trace", "/a\0b")),
            Map.entry(Options.SECRET, List.of("x".repeat(4097))),
            Map.entry(Options.AGENT_AUTO_START, List.of("", "0", "no")),
            Map.entry(Options.AGENT_DIRECTORY, List.of("relative", "~/bolt", "/a\0b")),
            Map.entry(Options.AGENT_PORT, List.of("", "0", "-1", "65536", "99999999999")),
            Map.entry(Options.AGENT_SLAB, List.of("", "0", "-1g", "1m", "65g", "999999999999999999t")),
            Map.entry(Options.AGENT_SECRET_FILE, List.of("secret", "./secret", "/a\0b")),
            Map.entry(Options.AGENT_TOPOLOGY_FILE, List.of("hosts.json", "~/hosts.json")),
            Map.entry(Options.AGENT_TOPOLOGY_HOSTS, List.of(",", "a,,b", "a,", "a,a", "a b")),
            Map.entry(Options.AGENT_VERBS_LIBRARY, List.of("libvtb.so", "../libvtb.so")),
            Map.entry(Options.AGENT_LINK_MODE, List.of("", "write", "0")),
            Map.entry(Options.AGENT_OTHER_PROVIDERS, List.of("", "0", "1", "yes", "on")),
            Map.entry(Options.AGENT_CHECKSUM, List.of("", "never", "0")),
            Map.entry(Options.AGENT_IDLE_TIMEOUT, List.of("", "0s", "10", "25h", "999999999999h")),
            Map.entry(Options.AGENT_START_TIMEOUT, List.of("", "0s", "10", "6min", "999999999999h")),
            Map.entry(Options.AGENT_HEARTBEAT_INTERVAL, List.of("", "0ms", "49ms", "2min", "10s", "999999999999h")),
            Map.entry(Options.AGENT_HEARTBEAT_TIMEOUT, List.of("", "0ms", "6min", "999ms", "999999999999h")),
            Map.entry(Options.AGENT_CONNECT_TIMEOUT, List.of("", "0ms", "6min", "999999999999h")),
            Map.entry(Options.AGENT_DEADLINE_SCALE, List.of("", "0", "-1", "61", "1.5", "99999999999")),
            Map.entry(Options.FETCH_TIMEOUT, List.of("", "0ms", "2h", "999999999999h")),
            Map.entry(Options.FETCH_WINDOW, List.of("", "0", "-1", "1", "65m", "999999999999999999t")),
            Map.entry(Options.FETCH_READ_AHEAD, List.of("", "-1", "2g", "999999999999999999t")),
            Map.entry(Options.WRITER_ENABLED, List.of("", "0", "1", "yes", "on")),
            Map.entry(Options.WRITER_MAX_PARTITIONS, List.of("", "-1", "1.5", "99999999999")),
            Map.entry(Options.WRITER_FILE_BUFFER, List.of("", "0", "-1", "1g", "999999999999999999t")),
            Map.entry(Options.SHUFFLES, List.of("", "none", "true", "any,own")),
            Map.entry(Options.BLOCKS, List.of("", "none", "true", "shuffle,all")),
            Map.entry(Options.UNKNOWN_SPARK, List.of("", "yes", "true", "4.9")));

    static Stream<Option<?>> all() {
        return Options.all().stream();
    }

    @ParameterizedTest
    @MethodSource("all")
    void eachOptionHasALimit(Option<?> option) {
        assertThat(REFUSED).containsKey(option);
        for (String value : REFUSED.getOrDefault(option, List.of())) {
            assertThatThrownBy(() -> Settings.parse(Map.of(option.key(), value)))
                    .as("%s=%s", option.key(), value)
                    .isInstanceOf(IllegalSettingException.class)
                    .hasMessageContaining(" is refused: it must be ");
        }
    }

    /** Read and usable, or refused by one sentence that names a key: nothing else. */
    @ParameterizedTest
    @MethodSource("all")
    void whateverIsWrittenIsReadOrRefused(Option<?> option) {
        for (String value : VALUES) {
            Throwable thrown = catchThrowable(() -> usable(Settings.parse(Map.of(option.key(), value))));
            if (thrown != null) {
                assertThat(thrown)
                        .as("%s=%s", option.key(), value)
                        .isInstanceOf(IllegalSettingException.class)
                        .hasMessageContaining(Options.PREFIX);
            }
        }
    }

    /** Does with a value what the code does with every value that it reads. */
    private static void usable(Settings settings) {
        for (Option<?> option : Options.all()) {
            if (settings.get(option) instanceof Duration time) {
                assertThat(time.toNanos()).isPositive();
            }
        }
        assertThat(settings.get(Options.AGENT_SLAB)).isPositive();
        assertThat(settings.get(Options.AGENT_SLAB) % (16 << 10)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"100000001, 99991552", "64m, 67108864", "67108865, 67108864", "64g, 68719476736"})
    void aSlabIsAWholeNumberOfPages(String text, long bytes) {
        assertThat(Settings.parse(Map.of(Options.AGENT_SLAB.key(), text)).get(Options.AGENT_SLAB))
                .isEqualTo(bytes);
    }

    @Test
    void aTimeoutShorterThanTwoHeartbeatsIsRefusedWithBoth() {
        assertThatThrownBy(() -> Settings.parse(Map.of(
                        Options.AGENT_HEARTBEAT_INTERVAL.key(), "3s", Options.AGENT_HEARTBEAT_TIMEOUT.key(), "5s")))
                .hasMessage("spark.boltshuffle.agent.heartbeatTimeout=5s is refused: it must be at least twice"
                        + " spark.boltshuffle.agent.heartbeatInterval, which is 3s");
    }

    @Test
    void aWindowThatNoTaskMayHoldIsRefusedWithTheLimit() {
        assertThatThrownBy(() ->
                        Settings.parse(Map.of(Options.AGENT_SLAB.key(), "64m", Options.FETCH_WINDOW.key(), "13m")))
                .hasMessage("spark.boltshuffle.fetch.window=13m is refused: it must be at most 12m, three sixteenths of"
                        + " spark.boltshuffle.agent.slab");
    }

    @Test
    void aSecretThatIsRefusedIsNotShown() {
        assertThatThrownBy(() -> Settings.parse(Map.of(Options.SECRET.key(), "s3cret".repeat(1000))))
                .hasMessageContaining("(hidden)")
                .hasMessageNotContaining("s3cret");
    }
}
