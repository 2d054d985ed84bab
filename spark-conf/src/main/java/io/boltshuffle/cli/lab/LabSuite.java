package io.boltshuffle.cli.lab;

import java.time.Duration;
import java.util.List;

/** Tests of rdma-native that need the lab, by what they prove. Deadlines are for two slow cores that others use as well. */
public enum LabSuite {
    /** The link's contract over Soft-RoCE: RDMA READ on RC, SEND on UC, either kind of GID. */
    CONTRACT(
            Duration.ofMinutes(25),
            "io.boltshuffle.rdma.link.ReadModeOverSoftRoceTest",
            "io.boltshuffle.rdma.link.SendModeOverSoftRoceTest",
            "io.boltshuffle.rdma.link.SoftRoceAddressesTest"),
    /** The virtual Thunderbolt against the kernel, call by call. */
    DIFFERENTIAL(Duration.ofMinutes(10), "io.boltshuffle.rdma.verbs.VirtualThunderboltDifferencesTest"),
    /** Faults that the kernel makes: loss, damage, a dead port, a device removed, a peer killed. */
    FAULTS(
            Duration.ofMinutes(30),
            "io.boltshuffle.rdma.link.SoftRoceFaultsTest",
            "io.boltshuffle.rdma.link.SoftRoceServerLoadTest");

    private final Duration deadline;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> classes;

    LabSuite(Duration deadline, String... classes) {
        this.deadline = deadline;
        this.classes = List.of(classes);
    }

    /** How long it may take, booting included. */
    public Duration deadline() {
        return deadline;
    }

    List<String> classes() {
        return classes;
    }
}
