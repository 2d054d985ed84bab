package io.boltshuffle.proof.lab;

import java.time.Duration;
import java.util.List;

/** The tests that need the lab, by what they prove. Deadlines suit two slow cores that other programs use as well. */
public enum LabSuite {
    /** The link's contract over Soft-RoCE: RDMA READ on RC, SEND on UC, either kind of GID. */
    CONTRACT(
            Module.RDMA_NATIVE,
            Duration.ofMinutes(25),
            "io.boltshuffle.rdma.link.ReadModeOverSoftRoceTest",
            "io.boltshuffle.rdma.link.SendModeOverSoftRoceTest",
            "io.boltshuffle.rdma.link.SoftRoceAddressesTest"),
    /** Compares the virtual Thunderbolt with the kernel, call by call. */
    DIFFERENTIAL(
            Module.RDMA_NATIVE, Duration.ofMinutes(10), "io.boltshuffle.rdma.verbs.VirtualThunderboltDifferencesTest"),
    /** Faults that the kernel makes: loss, damage, a dead port, a device removed, a peer killed. */
    FAULTS(
            Module.RDMA_NATIVE,
            Duration.ofMinutes(30),
            "io.boltshuffle.rdma.link.SoftRoceFaultsTest",
            "io.boltshuffle.rdma.link.SoftRoceServerLoadTest"),
    /** Agents and Spark jobs on two hosts, and faults that the kernel makes while jobs run. */
    SPARK(
            Module.INTEGRATION_TESTS,
            Duration.ofMinutes(30),
            "io.boltshuffle.integration.ReadModeJobsOverSoftRoceTest",
            "io.boltshuffle.integration.SendModeJobsOverSoftRoceTest");

    /**
     * The test that is run of each class of {@link #SPARK}. Those with faults would take hours on emulated processors.
     */
    private static final String JOBS_WITHOUT_FAULTS = "everyRemoteByteOfASortAndAQueryGoesByRdma";

    /** The module that has a suite's tests, and in which they run. */
    enum Module {
        RDMA_NATIVE("rdma-native"),
        INTEGRATION_TESTS("integration-tests");

        private final String directory;

        Module(String directory) {
            this.directory = directory;
        }

        String directory() {
            return directory;
        }
    }

    private final Module module;
    private final Duration deadline;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> classes;

    LabSuite(Module module, Duration deadline, String... classes) {
        this.module = module;
        this.deadline = deadline;
        this.classes = List.of(classes);
    }

    Module module() {
        return module;
    }

    /** Returns whether the suite needs only what tests of links need, and no Spark. */
    boolean needsFewJars() {
        return module == Module.RDMA_NATIVE;
    }

    /** Returns the stock kernel, unless emulation would take too long. */
    public LabEngine engine() {
        return this == SPARK ? LabEngine.UML : LabEngine.QEMU;
    }

    /** Returns how long the suite may take, including the boot. */
    public Duration deadline() {
        return deadline;
    }

    /** Returns whether there is time for any of the suite under an engine. */
    boolean isFor(LabEngine chosen) {
        return !selection(chosen).isEmpty();
    }

    /** Returns what of the suite runs under an engine, in the words of JUnit's launcher. */
    List<String> selection(LabEngine chosen) {
        if (chosen != LabEngine.ARM64 || this == CONTRACT) {
            return classes.stream().map(name -> "--select-class=" + name).toList();
        }
        return this == SPARK
                ? classes.stream()
                        .map(name -> "--select-method=" + name + "#" + JOBS_WITHOUT_FAULTS)
                        .toList()
                : List.of();
    }
}
