package io.boltshuffle.cli.doctor.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.os.OperatingSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CollectorTest {

    /** Answers by the first word of a command; everything else is not found. */
    private static final class ScriptedProbe implements Probe {
        private final Map<String, Outcome> answers;
        private final List<String> asked = new ArrayList<>();

        ScriptedProbe(Map<String, Outcome> answers) {
            this.answers = answers;
        }

        @Override
        public String host() {
            return "mac1";
        }

        @Override
        public Outcome run(List<String> arguments, Duration deadline) {
            asked.add(arguments.get(0));
            return answers.getOrDefault(arguments.get(0), Outcome.NOT_FOUND);
        }
    }

    @Test
    void aMacIsAskedForWhatAMacKnows() {
        ScriptedProbe probe = new ScriptedProbe(Map.of("uname", Outcome.ran(0, "Darwin\n", "")));

        Evidence evidence = Collector.collect(probe);

        assertThat(evidence.platform()).isEqualTo(OperatingSystem.MACOS);
        assertThat(probe.asked)
                .contains("sw_vers", "rdma_ctl", "system_profiler")
                .doesNotContain("ip", "rdma");
    }

    @Test
    void linuxIsAskedForWhatLinuxKnows() {
        ScriptedProbe probe = new ScriptedProbe(Map.of("uname", Outcome.ran(0, "Linux\n", "")));

        Collector.collect(probe);

        assertThat(probe.asked).contains("ip", "rdma", "ibv_devices").doesNotContain("sw_vers", "rdma_ctl");
    }

    @Test
    void anUnreachableHostIsAskedOnce() {
        ScriptedProbe probe = new ScriptedProbe(Map.of("uname", Outcome.unreachable("timed out")));

        Evidence evidence = Collector.collect(probe);

        assertThat(probe.asked).containsExactly("uname");
        assertThat(evidence.unreachableBecause()).hasValue("timed out");
    }

    @Test
    void devicesAreNotOpenedWhereListingThemHangs() {
        ScriptedProbe probe =
                new ScriptedProbe(Map.of("uname", Outcome.ran(0, "Darwin\n", ""), "ibv_devices", Outcome.hung("", "")));

        Evidence evidence = Collector.collect(probe);

        assertThat(probe.asked).doesNotContain("ibv_devinfo");
        assertThat(evidence.outcome(ProbeCommand.IBV_DEVINFO)).isEqualTo(Outcome.NOT_RUN);
    }

    @Test
    void evidenceKeepsTheOrderOfHosts() throws Exception {
        List<Evidence> evidence =
                Collector.collect(List.of(new LocalProbe("b"), new LocalProbe("a"), new LocalProbe("c")));

        assertThat(evidence).extracting(Evidence::host).containsExactly("b", "a", "c");
        assertThat(evidence).allMatch(one -> one.platform() != OperatingSystem.UNKNOWN);
    }
}
