package io.boltshuffle.cli.doctor.check;

/**
 * The subject of a finding, root causes first: a cause explains those after it, never those before it. The title is
 * what a person searches for.
 */
public enum Cause {
    UNREACHABLE("host not reachable"),
    MACOS_TOO_OLD("macOS too old"),
    THUNDERBOLT_4("Thunderbolt 4 hardware"),
    FLAG_OFF("RDMA flag off"),
    BUDGET_LEAKED("RDMA budget leaked, reboot"),
    NO_VERBS_DEVICE("no RDMA device"),
    NO_DEVICE_RIGHTS("no rights on RDMA devices"),
    LOCKED_MEMORY("locked memory limit"),
    NO_CABLE("no cable"),
    CABLE_SPEED("wrong cable or speed"),
    BEHIND_A_DOCK("Mac behind a dock or hub"),
    CROSSED_CABLES("crossed cables"),
    PORT_DOWN("port down"),
    BRIDGE_LOOP("Thunderbolt Bridge loop"),
    BRIDGE_IN_THE_WAY("Thunderbolt Bridge in the way"),
    NO_ADDRESS("no address"),
    ADDRESS_MISMATCH("addresses do not match"),
    COLD_NEIGHBOUR("cold neighbour cache"),
    FIREWALL("firewall"),
    SLEEP_ON("sleep is on"),
    DIFFERENT_BUILDS("different macOS builds"),
    OWN_NAME("unknown host name"),
    JAVA("Java"),
    SPARK("Spark"),
    WRITER("shuffle writer"),
    AGENT("agent"),
    DISK("disk space"),
    SHARED_MEMORY("shared memory"),
    COMMAND_HUNG("a command hung");

    private final String title;

    Cause(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }
}
