package io.boltshuffle.cli.doctor.probe;

import io.boltshuffle.os.OperatingSystem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Every outside command that the doctor runs, in order; all of them only read. The key names the section of a saved
 * evidence file.
 */
public enum ProbeCommand {
    UNAME("uname", Hosts.ALL, 5, "uname -s"),
    HOSTNAME("hostname", Hosts.ALL, 5, "hostname"),
    /** This runs first and last: a process in the same uninterruptible wait in both is stuck, not busy. */
    PROCESSES("ps", Hosts.ALL, 5, "ps -axo pid=,state=,comm="),
    SW_VERS("sw_vers", Hosts.MACS, 5, "sw_vers"),
    HARDWARE("sysctl", Hosts.MACS, 5, "sysctl hw.model machdep.cpu.brand_string hw.memsize"),
    RDMA_FLAG("rdma_ctl", Hosts.MACS, 5, "rdma_ctl status"),
    THUNDERBOLT("thunderbolt", Hosts.MACS, 30, "system_profiler SPThunderboltDataType -json"),
    HARDWARE_PORTS("hardware-ports", Hosts.MACS, 10, "networksetup -listallhardwareports"),
    IFCONFIG("ifconfig", Hosts.MACS, 5, "ifconfig -a"),
    ARP("arp", Hosts.MACS, 5, "arp -an"),
    NDP("ndp", Hosts.MACS, 5, "ndp -an"),
    POWER("pmset", Hosts.MACS, 5, "pmset -g"),
    FIREWALL("firewall", Hosts.MACS, 5, "/usr/libexec/ApplicationFirewall/socketfilterfw --getglobalstate"),
    IP_ADDRESSES("ip-addr", Hosts.LINUX, 5, "ip -o addr"),
    RDMA_LINK("rdma-link", Hosts.LINUX, 5, "rdma link"),
    INFINIBAND_CLASS("sys-class-infiniband", Hosts.LINUX, 5, "ls /sys/class/infiniband"),
    UVERBS_RIGHTS("dev-infiniband", Hosts.LINUX, 5, Scripts.UVERBS_RIGHTS),
    MEMLOCK("memlock", Hosts.LINUX, 5, "sh:ulimit -l"),
    SHARED_MEMORY("dev-shm", Hosts.LINUX, 5, "df -Pk /dev/shm"),
    IBV_DEVICES("ibv_devices", Hosts.ALL, 10, "ibv_devices"),
    IBV_DEVINFO("ibv_devinfo", Hosts.ALL, 10, "ibv_devinfo -v"),
    OWN_NAME("own-name", Hosts.LINUX, 10, Scripts.OWN_NAME),
    JAVA("java", Hosts.ALL, 10, Scripts.JAVA),
    SPARK("spark", Hosts.ALL, 10, Scripts.SPARK),
    SPARK_SETTINGS("spark-settings", Hosts.ALL, 5, Scripts.SPARK_SETTINGS),
    DISK("disk", Hosts.ALL, 10, Scripts.DISK),
    AGENT("agent", Hosts.ALL, 5, Scripts.AGENT),
    LISTENING("listening", Hosts.ALL, 5, Scripts.LISTENING),
    PROCESSES_AGAIN("ps-again", Hosts.ALL, 5, "ps -axo pid=,state=,comm=");

    private enum Hosts {
        ALL,
        MACS,
        LINUX
    }

    /** Small POSIX scripts, for facts that no single command prints. */
    private static final class Scripts {
        static final String SHELL = "sh:";
        static final String UVERBS_RIGHTS = SHELL + "for f in /dev/infiniband/uverbs*; do [ -e \"$f\" ] || continue; "
                + "if [ -r \"$f\" ] && [ -w \"$f\" ]; then echo \"rw $f\"; else echo \"no $f\"; fi; done";
        /** Prints nothing if getent is missing. */
        static final String OWN_NAME = SHELL + "n=$(uname -n); command -v getent >/dev/null || exit 0; "
                + "if getent hosts \"$n\" >/dev/null; then echo \"known $n\"; else echo \"unknown $n\"; fi";

        /** Homebrew's spark-submit is not in Spark's home. */
        static final String SPARKS_HOME = "h=${SPARK_HOME:-}; "
                + "if [ -z \"$h\" ]; then s=$(command -v spark-submit) && h=$(dirname \"$(dirname \"$s\")\"); fi; "
                + "[ -d \"$h/jars\" ] || [ ! -d \"$h/opt/apache-spark/libexec\" ] || h=$h/opt/apache-spark/libexec; ";
        /** Spark's scripts run spark-env.sh by bash. */
        static final String JAVA = SHELL + SPARKS_HOME + "e=${SPARK_CONF_DIR:-$h/conf}/spark-env.sh; "
                + "[ ! -r \"$e\" ] || JAVA_HOME=$(\"$(command -v bash || echo sh)\" -c "
                + "'. \"$0\" >/dev/null 2>&1; echo \"${JAVA_HOME:-}\"' \"$e\"); "
                + "\"${JAVA_HOME:+$JAVA_HOME/bin/}java\" -version 2>&1";

        static final String SPARK =
                SHELL + SPARKS_HOME + "echo \"home=$h\"; [ -z \"$h\" ] || ls \"$h/jars\" | grep '^spark-core_'; true";
        /** Prints only settings that say who shuffles, and how map outputs are written: others may hold secrets. */
        static final String SPARK_SETTINGS = SHELL + "echo \"cores $(getconf _NPROCESSORS_ONLN)\"; "
                + SPARKS_HOME
                + "f=${SPARK_CONF_DIR:-$h/conf}/spark-defaults.conf; [ -f \"$f\" ] || exit 0; echo \"file $f\"; "
                + "grep -E '^[[:space:]]*spark\\.(executor\\.(memory|cores)|memory\\.(fraction|storageFraction)"
                + "|memory\\.offHeap\\.enabled|buffer\\.pageSize|plugins|shuffle\\.(compress|manager)"
                + "|shuffle\\.sort\\.(bypassMergeThreshold|io\\.plugin\\.class)"
                + "|io\\.compression\\.(codec|lz4\\.blockSize)|io\\.encryption\\.enabled"
                + "|boltshuffle\\.(enabled|shuffles|unknownSpark|writer\\.[A-Za-z]+|outputs\\.memory|agent\\.slab))"
                + "[[:space:]=:]' "
                + "\"$f\"; true";
        /** The directory is the default of {@code spark.boltshuffle.agent.directory}, on Linux and on macOS. */
        static final String AGENT = SHELL + "u=$(id -un 2>/dev/null); "
                + "for s in /tmp/boltshuffle-\"$u\"/*/agent.sock /tmp/bolt-\"$u\"/*/agent.sock; "
                + "do [ -S \"$s\" ] && echo \"socket $s\"; done; "
                + "pgrep -u \"$(id -u)\" -f '[i]o.boltshuffle.agent.AgentMain' | sed 's/^/process /'; true";

        static final String LISTENING = SHELL + "if command -v ss >/dev/null; then ss -Hltn; "
                + "else netstat -an -p tcp | grep LISTEN; fi; true";
        static final String DISK = SHELL + "d=${SPARK_LOCAL_DIRS:-${TMPDIR:-/tmp}}; df -Pk \"${d%%,*}\"";
    }

    private final String key;
    private final Hosts hosts;
    private final int deadlineSeconds;
    private final String command;

    ProbeCommand(String key, Hosts hosts, int deadlineSeconds, String command) {
        this.key = key;
        this.hosts = hosts;
        this.deadlineSeconds = deadlineSeconds;
        this.command = command;
    }

    public static Optional<ProbeCommand> ofKey(String key) {
        for (ProbeCommand command : values()) {
            if (command.key.equals(key)) {
                return Optional.of(command);
            }
        }
        return Optional.empty();
    }

    public String key() {
        return key;
    }

    public Duration deadline() {
        return Duration.ofSeconds(deadlineSeconds);
    }

    public List<String> arguments() {
        return command.startsWith(Scripts.SHELL)
                ? List.of("sh", "-c", command.substring(Scripts.SHELL.length()))
                : List.of(command.split(" ", -1));
    }

    /** Returns the command as a person would type it. */
    public String commandLine() {
        return command.startsWith(Scripts.SHELL) ? command.substring(Scripts.SHELL.length()) : command;
    }

    boolean isFor(OperatingSystem platform) {
        return switch (hosts) {
            case ALL -> platform != OperatingSystem.UNKNOWN;
            case MACS -> platform == OperatingSystem.MACOS;
            case LINUX -> platform == OperatingSystem.LINUX;
        };
    }
}
