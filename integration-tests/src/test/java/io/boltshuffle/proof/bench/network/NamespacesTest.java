package io.boltshuffle.proof.bench.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamespacesTest {
    private static final HeldNetwork SLOW = HeldNetwork.of(Bandwidth.ofGigabits(0.08), Optional.empty(), 9000);
    private static final long SELF = ProcessHandle.current().pid();

    @Test
    void eachHostHasAPortOfTheSwitchThatIsHeldAtBothEnds() {
        RecordedTool system = new RecordedTool("");
        Namespaces made = Namespaces.make(3, SLOW, system);

        assertThat(made.hosts()).containsExactly("198.18.0.2", "198.18.0.3", "198.18.0.4");
        assertThat(made.driver()).isEqualTo("198.18.0.2");
        assertThat(system.namespaces()).hasSize(4).allMatch(name -> name.startsWith("bolt-" + SELF + "-"));
        assertThat(system.commands().stream().filter(command -> command.contains(" tbf ")))
                .hasSize(6)
                .allMatch(command -> command.contains(" rate 80000000bit burst 131072 limit "));
        assertThat(system.commands().stream().filter(command -> command.contains(" type veth ")))
                .hasSize(3)
                .allMatch(command -> command.startsWith("ip link add name eth0 mtu 9000 netns bolt-"));

        made.remove();
        assertThat(system.namespaces()).isEmpty();
    }

    @Test
    void twoHostsOfAPairAreJoinedByNothingElse() {
        RecordedTool system = new RecordedTool("");
        Namespaces made = Namespaces.makePair(9000, true, system);

        assertThat(made.hosts()).containsExactly("198.18.0.2", "198.18.0.3");
        assertThat(system.namespaces()).hasSize(2);
        assertThat(system.commands().stream().filter(command -> command.contains(" type veth ")))
                .singleElement()
                .asString()
                .contains("mtu 9000 netns", "peer name eth0 mtu 9000 netns");
        assertThat(system.commands()).noneMatch(command -> command.contains("tbf") || command.contains("ethtool"));

        made.remove();
        assertThat(system.namespaces()).isEmpty();
    }

    @Test
    void withoutOffloadsBothEndsOfAPairCutAndSumThemselves() {
        RecordedTool system = new RecordedTool("");
        Namespaces.makePair(1500, false, system);

        assertThat(system.commands().stream().filter(command -> command.contains(" ethtool ")))
                .hasSize(2)
                .allMatch(command -> command.startsWith("nsenter --net=/var/run/netns/bolt-")
                        && command.endsWith("ethtool -K eth0 rx off tx off sg off tso off gso off gro off"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ip netns add", "type veth", "ethtool", "address add"})
    void aPairThatCannotBeHadLeavesNothing(String failing) {
        RecordedTool system = new RecordedTool(failing);

        assertThatThrownBy(() -> Namespaces.makePair(1500, false, system))
                .isInstanceOfSatisfying(
                        BoltException.class,
                        refused -> assertThat(refused.exitCode()).isEqualTo(ExitCode.ENVIRONMENT))
                .hasMessageContaining("Operation not permitted")
                .hasMessageEndingWith("run this as root on Linux with iproute2, ethtool and a kernel that has veth");
        assertThat(system.namespaces()).isEmpty();
    }

    @Test
    void aProcessOfAHostIsStartedInItsNamespace() {
        Namespaces made = Namespaces.make(2, SLOW, new RecordedTool(""));
        ProcessBuilder process = made.on("198.18.0.3", new ProcessBuilder("java", "-version"));

        assertThat(process.command())
                .satisfies(words -> assertThat(words.get(1)).matches("--net=/var/run/netns/bolt-" + SELF + "-\\d+-1"))
                .startsWith("nsenter")
                .endsWith("java", "-version");
        assertThatThrownBy(() -> made.on("127.0.0.1", new ProcessBuilder("java")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ip netns list", "ip netns add", "type bridge", "type veth", "tbf", "address add"})
    void whereItCannotBeHadOneSentenceSaysWhyAndNothingIsLeft(String failing) {
        RecordedTool system = new RecordedTool(failing);

        assertThatThrownBy(() -> Namespaces.requirePossible(SLOW, system))
                .isInstanceOfSatisfying(
                        BoltException.class,
                        refused -> assertThat(refused.exitCode()).isEqualTo(ExitCode.ENVIRONMENT))
                .hasMessageStartingWith("the hosts cannot have a network of their own (")
                .hasMessageContaining("Operation not permitted")
                .hasMessageContaining("run this as root on Linux with iproute2")
                .message()
                .doesNotContain("\n");
        assertThat(system.namespaces()).isEmpty();
    }

    @Test
    void whereAProgramIsMissingTheSentenceNamesIt() {
        SystemTool without = words -> SystemTool.OF_SYSTEM.run(List.of("no-" + words.get(0)));

        assertThatThrownBy(() -> Namespaces.requirePossible(SLOW, without))
                .hasMessageContaining("no-ip cannot be started");
    }

    @Test
    void whatProcessesThatHaveEndedLeftIsRemovedFirst() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        RecordedTool system = new RecordedTool("");
        String theirs = "bolt-" + ended.pid() + "-1-switch";
        List.of(theirs, "bolt-" + SELF + "-99-0", "bolt-lab", "other")
                .forEach(name -> system.run(List.of("ip", "netns", "add", name)));

        Namespaces.make(1, SLOW, system).remove();

        assertThat(system.namespaces()).containsExactly("bolt-" + SELF + "-99-0", "bolt-lab", "other");
    }
}
