package io.boltshuffle.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.doctor.check.Cause;
import io.boltshuffle.cli.doctor.check.Cluster;
import io.boltshuffle.cli.doctor.check.Diagnosis;
import io.boltshuffle.cli.doctor.check.Severity;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Shows that the first line a person reads names, for each fault, the real cause, where it is, and what was seen. */
class FirstLineTest {

    private static final String FAULTS = """
            a-command-hangs             | COMMAND_HUNG      | \
                WARNING  mac2: a command hung. pmset -g did not end within 5 s
            agent-gone                  | AGENT             | \
                WARNING  mac1: agent. /var/folders/zz/T/boltshuffle-me/192.168.7.11/agent.sock is there, but no agent \
            runs
            agent-port-taken            | AGENT             | \
                FAILURE  mac2: agent. another program, or another user's agent, listens on TCP port 7338
            addresses-do-not-match      | ADDRESS_MISMATCH  | \
                FAILURE  mac1, mac2: addresses do not match. port 3 (en4) to port 1 (en3) are in different subnets: \
            [10.81.0.1/30] and [10.99.0.2/30]
            bridge-in-the-way           | BRIDGE_IN_THE_WAY | \
                FAILURE  mac1: Thunderbolt Bridge in the way. port 3 (en4) belongs to bridge0
            bridge-loop                 | BRIDGE_LOOP       | \
                FAILURE  mac1, mac2, mac3: Thunderbolt Bridge loop. bridge0 of these Macs has all ports of a ring
            bridge-loop-with-addresses  | BRIDGE_LOOP       | FAILURE  mac1, mac2, mac3: Thunderbolt Bridge loop.
            budget-leaked-stuck-process | BUDGET_LEAKED     | \
                FAILURE  mac1: RDMA budget leaked, reboot. stuck in an uninterruptible wait: /usr/bin/java (pid 4711, \
            state UE)
            budget-leaked-verbs-hang    | BUDGET_LEAKED     | \
                FAILURE  mac1: RDMA budget leaked, reboot. ibv_devinfo -v did not come back
            verbs-listing-hangs         | BUDGET_LEAKED     | \
                FAILURE  mac2: RDMA budget leaked, reboot. ibv_devices did not come back
            cold-neighbour-cache        | COLD_NEIGHBOUR    | \
                WARNING  mac1: cold neighbour cache. no entry for mac2 (10.81.0.2) on en4
            crossed-cables              | CROSSED_CABLES    | \
                FAILURE  mac1, mac2: crossed cables. mac1 port 1 (en2) has 10.81.0.1/30 and is cabled to mac2 port 1 \
            (en3), but the other address of its subnet is at mac2 port 2 (en4)
            different-builds            | DIFFERENT_BUILDS  | \
                WARNING  mac1, mac2: different macOS builds. macOS 26.3 (25D125) on mac1; macOS 26.4 (25E246) on mac2
            different-sparks            | SPARK             | \
                WARNING  all hosts: Spark. different Spark versions: 4.0.4, 4.2.0
            disk-full                   | DISK              | FAILURE  mac2: disk space. 0.5 GiB free for shuffle files
            firewall-blocks-all         | FIREWALL          | \
                FAILURE  mac2: firewall. the macOS firewall blocks all incoming
            firewall-on                 | FIREWALL          | WARNING  mac1: firewall. the macOS firewall is on
            flag-off-here               | FLAG_OFF          | \
                FAILURE  mac1: RDMA flag off. rdma_ctl status: disabled, on this Mac
            flag-off-on-one-of-two      | FLAG_OFF          | \
                FAILURE  mac2: RDMA flag off. rdma_ctl status: disabled, on this Mac
            flag-off-on-the-peer        | FLAG_OFF          | \
                FAILURE  mac1: RDMA flag off. off on the peer: "Mac mini" at port 3 (en4) does not offer RDMA
            illegal-spark-setting       | WRITER            | \
                FAILURE  mac2: shuffle writer. spark.boltshuffle.writer.fileBuffer
            linux-locked-memory         | LOCKED_MEMORY     | FAILURE  node1: locked memory limit. ulimit -l: 8192 KiB
            linux-no-device             | NO_VERBS_DEVICE   | \
                FAILURE  node1: no RDMA device. /sys/class/infiniband is empty or absent
            linux-no-ipv4-gid           | NO_ADDRESS        | \
                WARNING  node1: no address. mlx5_0 is PORT_ACTIVE (Ethernet), with no IPv4 address among its GIDs
            linux-no-provider           | NO_VERBS_DEVICE   | \
                FAILURE  node1: no RDMA device. the kernel has mlx5_0, but ibv_devinfo sees none
            linux-no-rights             | NO_DEVICE_RIGHTS  | \
                FAILURE  node1: no rights on RDMA devices. this user may not open /dev/infiniband/uverbs0
            linux-port-down             | PORT_DOWN         | FAILURE  node1: port down. mlx5_0 is PORT_DOWN (Ethernet)
            linux-small-dev-shm         | SHARED_MEMORY     | WARNING  node1: shared memory. 0.1 GiB free in /dev/shm
            linux-unknown-name          | OWN_NAME          | \
                FAILURE  node1: unknown host name. its own name node1 does not resolve there
            linux-verbs-hang            | BUDGET_LEAKED     | \
                FAILURE  node1: RDMA budget leaked, reboot. ibv_devices or ibv_devinfo did not come back
            macos-26.2                  | MACOS_TOO_OLD     | WARNING  mac1: macOS too old. macOS 26.2 (25C56)
            macos-too-old               | MACOS_TOO_OLD     | FAILURE  mac2: macOS too old. macOS 26.1 (25B78)
            no-address                  | NO_ADDRESS        | \
                FAILURE  mac1: no address. port 3 (en4) has neither an IPv4 nor an IPv6 address
            no-cable                    | NO_CABLE          | \
                FAILURE  mac1: no cable. no other Mac at any of its 3 Thunderbolt ports
            no-ipv4-address             | NO_ADDRESS        | \
                WARNING  mac1: no address. port 3 (en4) has no IPv4 address, only fe80:
            behind-a-dock               | BEHIND_A_DOCK     | \
                WARNING  mac1: Mac behind a dock or hub. port 3 (en4) reaches "Mac mini" through "iVANKY FusionDock"
            no-java                     | JAVA              | WARNING  mac1: Java. no java in JAVA_HOME
            no-rdma-device              | NO_VERBS_DEVICE   | FAILURE  mac1: no RDMA device. ibv_devices lists no device
            no-spark                    | SPARK             | \
                WARNING  mac2: Spark. no Spark in SPARK_HOME or on the PATH of a plain shell
            old-java                    | JAVA              | FAILURE  mac1: Java. Java 1.8.0_421
            port-down                   | PORT_DOWN         | \
                FAILURE  mac1: port down. rdma_en4 at port 3 (en4) is PORT_DOWN
            self-assigned-addresses     | ADDRESS_MISMATCH  | \
                WARNING  mac1, mac2: addresses do not match. port 3 (en4) to port 1 (en3) use addresses that macOS \
            assigned itself
            sleep-on                    | SLEEP_ON          | \
                WARNING  mac2: sleep is on. sleeps after 1 min without input
            spark-for-scala-2.12        | SPARK             | FAILURE  mac1: Spark. Spark 3.5.9 for Scala 2.12
            spark-of-an-unknown-line    | SPARK             | \
                FAILURE  mac2: Spark. Spark 4.9.0 for Scala 2.13
            thunderbolt-4               | THUNDERBOLT_4     | \
                FAILURE  mac2: Thunderbolt 4 hardware. Apple M4, 3 Thunderbolt ports of up to 40 Gb/s
            unreachable                 | UNREACHABLE       | \
                FAILURE  mac2: host not reachable. ssh: connect to host mac2 port 22: Operation timed out
            wrong-cable                 | CABLE_SPEED       | \
                FAILURE  mac1, mac2: wrong cable or speed. port 3 (en4) to port 1 (en3) runs at 40 Gb/s
            """;

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = FAULTS)
    void namesTheCause(String fault, Cause cause, String firstLine) {
        Cluster cluster = SavedEvidence.cluster(SavedEvidence.fault(fault));

        Diagnosis diagnosis = Diagnosis.of(cluster);

        assertThat(diagnosis.rootCause()).map(finding -> finding.cause()).hasValue(cause);
        assertThat(DoctorReport.text(cluster, diagnosis).lines().findFirst().orElse(""))
                .startsWith(firstLine);
    }

    @Test
    void everyFaultIsInTheTable() {
        List<String> tested = FAULTS.lines()
                .map(line -> line.split("\\|", 2)[0].strip())
                .sorted()
                .toList();

        assertThat(tested).isEqualTo(SavedEvidence.names("faults"));
    }

    static Stream<String> healthy() {
        return SavedEvidence.names("healthy").stream();
    }

    @ParameterizedTest
    @MethodSource("healthy")
    void saysThatAllIsWellWhenItIs(String name) {
        Cluster cluster = SavedEvidence.cluster(SavedEvidence.healthy(name));

        Diagnosis diagnosis = Diagnosis.of(cluster);

        assertThat(diagnosis.findings()).allMatch(finding -> finding.severity() == Severity.OK);
        assertThat(diagnosis.findings()).isNotEmpty();
        assertThat(DoctorReport.text(cluster, diagnosis)).startsWith("OK       ");
    }
}
