package io.boltshuffle.conf;

import static io.boltshuffle.conf.ValueTypes.flag;
import static io.boltshuffle.conf.ValueTypes.names;
import static io.boltshuffle.conf.ValueTypes.oneOf;
import static io.boltshuffle.conf.ValueTypes.path;
import static io.boltshuffle.conf.ValueTypes.size;
import static io.boltshuffle.conf.ValueTypes.sizeInSteps;
import static io.boltshuffle.conf.ValueTypes.text;
import static io.boltshuffle.conf.ValueTypes.time;
import static io.boltshuffle.conf.ValueTypes.wholeNumber;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Declares every option once. A new option is one {@code declare} here; parsing, the refusal of illegal values, the
 * warning for misspelt keys and {@code docs/configuration.md} follow from it.
 */
public final class Options {

    /** Every key starts with this. */
    public static final String PREFIX = "spark.boltshuffle.";

    /** A registration message has room for so many bytes. */
    private static final int MAX_SECRET_BYTES = 4096;

    private static final List<Option<?>> DECLARED = new ArrayList<>();

    public static final Option<Boolean> ENABLED = declare(
            "enabled",
            flag(),
            true,
            "0.1.0",
            "The kill switch: `false` sends every shuffle block by Netty, as without the plugin.");

    public static final Option<Boolean> ALLOW_CLEARTEXT = declare(
            "allowCleartext",
            flag(),
            false,
            "0.1.0",
            "RDMA does not encrypt. If Spark's settings demand encryption on the wire "
                    + "(`spark.network.crypto.enabled`, `spark.ssl.rpc.enabled` or "
                    + "`spark.authenticate.enableSaslEncryption`), the plugin refuses RDMA unless this option says "
                    + "that the cable may carry cleartext.");

    public static final Option<String> SECRET = declare(
            "secret",
            text(MAX_SECRET_BYTES),
            "",
            "0.1.0",
            "The secret that agents prove to each other before blocks of an application move. It need not "
                    + "be set: with `spark.authenticate` it is Spark's own secret; otherwise the driver generates "
                    + "one for each application and executors get it from there. Spark's UI and logs hide it.");

    public static final Option<Boolean> AGENT_AUTO_START = declare(
            "agent.autoStart",
            flag(),
            true,
            "0.1.0",
            "Whether the first executor of a host starts the node agent if none runs. Set it to `false` if "
                    + "launchd or systemd keeps an agent running.");

    public static final Option<String> AGENT_DIRECTORY = declare(
            "agent.directory",
            path(),
            "",
            "0.1.0",
            "The directory of the agents' sockets, locks and logs; only its owner may enter it. If empty, "
                    + "it is `/tmp/boltshuffle-` and the user's name, on macOS and for long names `/tmp/bolt-` and "
                    + "the user's name; a user without a name has its number there. No option of a JVM changes it.");

    public static final Option<Integer> AGENT_PORT = declare(
            "agent.port",
            wholeNumber(1, 65535),
            7338,
            "0.1.0",
            "The TCP port on which agents speak to each other; it must be the same on every host. The "
                    + "agent binds it to the addresses of the host's name only, IPv4 and IPv6. If those are all "
                    + "loopback addresses although the name is not `localhost`, as on Debian, it binds the addresses "
                    + "of the host's interfaces, too. If the name moves to other addresses, the agent follows within a "
                    + "minute. Peers try the addresses of a name in turn.");

    public static final Option<Long> AGENT_SLAB = declare(
            "agent.slab",
            sizeInSteps(64L << 20, 64L << 30, 16L << 10),
            1L << 30,
            "0.1.0",
            "The registered memory of a host's agent. It holds blocks that wait to be sent, blocks that "
                    + "arrive, and blocks that tasks are reading.");

    public static final Option<String> AGENT_SECRET_FILE = declare(
            "agent.secretFile",
            path(),
            "",
            "0.1.0",
            "A file whose content agents must prove to know before they link to each other; it must be the "
                    + "same on every host. If empty, agents link when both prove an application's secret. Blocks "
                    + "need that proof in any case.");

    public static final Option<String> AGENT_TOPOLOGY_FILE = declare(
            "agent.topologyFile",
            path(),
            "",
            "0.1.0",
            "An MLX hostfile or device file that says which ports face which host. If empty, agents find "
                    + "out by comparing their ports.");

    public static final Option<String> AGENT_TOPOLOGY_HOSTS = declare(
            "agent.topologyHosts",
            names(),
            "",
            "0.1.0",
            "The hosts of a device file, which names none, as Spark names them, in the order of its rows "
                    + "and separated by commas.");

    public static final Option<String> AGENT_VERBS_LIBRARY = declare(
            "agent.verbsLibrary",
            path(),
            "",
            "0.1.0",
            "The file of the verbs library. If empty, the agent uses the operating system's own. Only this "
                    + "option chooses the virtual Thunderbolt.");

    public static final Option<LinkModeChoice> AGENT_LINK_MODE = declare(
            "agent.linkMode",
            oneOf(LinkModeChoice.class),
            LinkModeChoice.AUTO,
            "0.1.0",
            "How bytes move: `send` (the only way on Thunderbolt), `read` (RDMA READ), or `auto`, which "
                    + "chooses by the kind of port.");

    public static final Option<Boolean> AGENT_OTHER_PROVIDERS = declare(
            "agent.otherProviders",
            flag(),
            false,
            "0.2.0",
            "Whether a Mac's agent uses RDMA devices of other providers than Apple's, too, such as a network "
                    + "card's `rdma_mcrdma0`. They move bytes by RDMA READ. Where there are no Thunderbolt devices, as "
                    + "on Linux, an agent uses whatever devices there are.");

    public static final Option<ChecksumChoice> AGENT_CHECKSUM = declare(
            "agent.checksum",
            oneOf(ChecksumChoice.class),
            ChecksumChoice.AUTO,
            "0.1.0",
            "Which bytes get a CRC32C that the sending agent computes and the receiving one checks; it "
                    + "must be the same on every host. `auto`: bytes that are sent. RDMA READ is left to the "
                    + "hardware, which checks every packet and repeats damaged ones. `always`: bytes that are read, "
                    + "too.");

    public static final Option<Duration> AGENT_IDLE_TIMEOUT = declare(
            "agent.idleTimeout",
            time(Duration.ofSeconds(1), Duration.ofDays(1)),
            Duration.ofMinutes(10),
            "0.1.0",
            "An agent that an executor started ends after this long without executors.");

    public static final Option<Duration> AGENT_START_TIMEOUT = declare(
            "agent.startTimeout",
            time(Duration.ofSeconds(1), Duration.ofMinutes(5)),
            Duration.ofSeconds(30),
            "0.1.0",
            "How long a started agent may take until it answers. Blocks go by Netty meanwhile.");

    public static final Option<Duration> AGENT_HEARTBEAT_INTERVAL = declare(
            "agent.heartbeatInterval",
            time(Duration.ofMillis(50), Duration.ofMinutes(1)),
            Duration.ofMillis(500),
            "0.1.0",
            "How often a side that sends nothing else shows that it is alive.");

    public static final Option<Duration> AGENT_HEARTBEAT_TIMEOUT = declare(
            "agent.heartbeatTimeout",
            time(Duration.ofMillis(200), Duration.ofMinutes(5)),
            Duration.ofSeconds(5),
            "0.1.0",
            "After this long without a sign of life, the other side counts as dead and its blocks go by "
                    + "Netty. It must be at least twice `spark.boltshuffle.agent.heartbeatInterval`.");

    public static final Option<Duration> AGENT_CONNECT_TIMEOUT = declare(
            "agent.connectTimeout",
            time(Duration.ofMillis(100), Duration.ofMinutes(5)),
            Duration.ofSeconds(15),
            "0.1.0",
            "How long the first contact with a peer may take, cables included; fetches from the peer wait "
                    + "for so long.");

    public static final Option<Integer> AGENT_DEADLINE_SCALE = declare(
            "agent.deadlineScale",
            wholeNumber(1, 60),
            1,
            "0.2.0",
            "How many times as long as usual a link waits for the device and for the other end: to be set "
                    + "up, to move anything, and to be taken down. Raise it on hosts that are slow or overloaded, "
                    + "such as emulated ones, whose links fail with `SETUP_TIMEOUT`, `CONTROL_STUCK` or `STALLED` "
                    + "although nothing is broken. Raise `spark.boltshuffle.agent.connectTimeout` and "
                    + "`spark.boltshuffle.agent.heartbeatTimeout` with it.");

    public static final Option<Duration> FETCH_TIMEOUT = declare(
            "fetch.timeout",
            time(Duration.ofMillis(100), Duration.ofHours(1)),
            Duration.ofSeconds(30),
            "0.1.0",
            "An agent gives a fetch by RDMA up if nothing of it came for so long, counted from its start "
                    + "and then from each part of it (`spark.boltshuffle.fetch.window`) that came. It also gives the "
                    + "fetch up if it takes longer altogether than this time and a second for each MiB that came. "
                    + "Blocks that have not arrived by then go by Netty.");

    public static final Option<Long> FETCH_WINDOW = declare(
            "fetch.window",
            size(64L << 10, 64L << 20),
            12L << 20,
            "0.1.0",
            "How many bytes are staged and moved at a time for one fetch. The default is a little more "
                    + "than the fifth of `spark.reducer.maxSizeInFlight` that Spark requests at once without "
                    + "read-ahead. Larger blocks come in several pieces, larger requests in several windows. It may "
                    + "be at most three sixteenths of `spark.boltshuffle.agent.slab`, which is what one task may "
                    + "hold.");

    public static final Option<Long> FETCH_READ_AHEAD = declare(
            "fetch.readAhead",
            size(0, 1L << 30),
            128L << 20,
            "0.1.0",
            "How many bytes of blocks a task may request ahead of what it reads, if all its blocks come by "
                    + "RDMA. They wait in the agent's memory, not in the executor's. All tasks of an executor share "
                    + "an eighth of `spark.boltshuffle.agent.slab`, first come, first served, and no more than an "
                    + "eighth of the executor's heap, where blocks go if RDMA fails. `spark.reducer.maxSizeInFlight` "
                    + "holds if a task's share is less, or if it is set at all.");

    public static final Option<String> FETCH_TRACE = declare(
            "fetch.trace",
            path(),
            "",
            "0.2.0",
            "A file to which the agents and executors of a host append a line for each step of each fetch, "
                    + "with its time and its thread. It is for those who work on the plugin, and grows for ever. If "
                    + "empty, nothing is traced, and nothing is spent on it.");

    public static final Option<Boolean> SQL_ROWS = declare(
            "sqlRows.enabled",
            flag(),
            true,
            "0.2.0",
            "Whether rows of Spark SQL are copied between the engine and the shuffle's buffers, byte by byte as"
                    + " Spark's own serializer of rows lays them down, without its streams. `false`: through Spark's"
                    + " serializer. The bytes are the same.");

    public static final Option<Boolean> WRITER_ENABLED = declare(
            "writer.enabled",
            flag(),
            true,
            "0.2.0",
            "Whether map tasks write with the plugin's own writer where it can: without combining on the "
                    + "map side, and with no more partitions than buffers fit. `false` always uses Spark's own "
                    + "writers. Readers cannot tell the difference.");

    public static final Option<Integer> WRITER_MAX_PARTITIONS = declare(
            "writer.maxPartitions",
            wholeNumber(0, 1 << 20),
            0,
            "0.2.0",
            "The largest number of partitions that the plugin's writer takes. 0 means as many as Spark "
                    + "itself opens a file for each (`spark.shuffle.sort.bypassMergeThreshold`), and more if the "
                    + "buffers of all partitions fit a quarter of a task's memory, at 32 KiB (or a block of lz4) "
                    + "each. Whatever the value, the writer takes more partitions than Spark opens files for only "
                    + "with lz4 or without compression, without encryption, with a serializer whose records may be "
                    + "reordered (SQL's is, Kryo is by default, Java's is not), and without "
                    + "`spark.memory.offHeap.enabled`.");

    public static final Option<Long> WRITER_FILE_BUFFER = declare(
            "writer.fileBuffer",
            size(64L << 10, 16L << 20),
            128L << 10,
            "0.2.0",
            "The size of the buffer through which a map task's output goes to its file.");

    public static final Option<ShufflesChoice> SHUFFLES = declare(
            "shuffles",
            oneOf(ShufflesChoice.class),
            ShufflesChoice.ANY,
            "0.2.0",
            "Whose shuffles go by RDMA where `spark.plugins` names `io.boltshuffle.spark.BoltShufflePlugin`: `any`, "
                    + "those of every shuffle manager that writes Spark's files and reads them with Spark's client, "
                    + "such as Spark's own; `own`, only those of `io.boltshuffle.spark.BoltShuffleManager`.");

    public static final Option<BlocksChoice> BLOCKS = declare(
            "blocks",
            oneOf(BlocksChoice.class),
            BlocksChoice.ALL,
            "0.2.0",
            "Which blocks go by RDMA: `all`, those of shuffles, and also pieces of broadcasts, cached partitions and "
                    + "results of tasks that another host reads; `shuffle`, only those of shuffles. `all` needs "
                    + "`spark.plugins=io.boltshuffle.spark.BoltShufflePlugin`, and the driver's host gets an agent, "
                    + "too, if it has a cable.");

    public static final Option<UnknownSparkChoice> UNKNOWN_SPARK = declare(
            "unknownSpark",
            oneOf(UnknownSparkChoice.class),
            UnknownSparkChoice.STOCK,
            "0.2.0",
            "What the plugin does on a Spark of a line that is newer than those it was made for: `stock` leaves "
                    + "every shuffle to Spark's own code, by TCP, and says so in the log and in the tab; `try` uses "
                    + "the plugin as on a known line. Newer patch releases of known lines need no choice.");

    private Options() {}

    /** Returns all options, in the order of the documentation. */
    public static List<Option<?>> all() {
        return Collections.unmodifiableList(DECLARED);
    }

    private static <T> Option<T> declare(String name, ValueType<T> type, T defaultValue, String since, String doc) {
        Option<T> option = new Option<>(PREFIX + name, type, defaultValue, since, doc);
        DECLARED.add(option);
        return option;
    }
}
