package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.cluster.ProcessRecord;
import io.boltshuffle.cli.job.ExecutorMetrics;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.proof.bench.network.Namespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code bolt up} and {@code bolt join} on two hosts, or three, with a network, a home and a cache of their own each,
 * from an unpacked archive each, joined by virtual cables.
 */
@Tag("ladder")
class TwoMachinesTest {
    private static final int MACHINES = 3;
    private static final List<String> SMALL = List.of("--cores", "1", "--memory", "1g", "--slab", "64m");
    private static final String WRONG = "0000-0000-0000-0000";
    private static final Pattern LINE = Pattern.compile("bolt join (\\S+) ((?:[0-9A-Z]{4}-){3}[0-9A-Z]{4})\\n");

    private final Path directory;
    private final Namespaces network;
    private final List<Machine> machines = new ArrayList<>();

    TwoMachinesTest(@TempDir Path directory) {
        this.directory = directory;
        try {
            this.network = Namespaces.onSwitch(MACHINES);
        } catch (BoltException e) {
            abort(e.getMessage());
            throw e;
        }
    }

    @AfterEach
    void nothingIsLeftWhateverHappened() throws Exception {
        try {
            for (Machine machine : machines) {
                machine.run("leave");
                machine.run("down", "--forget");
            }
        } finally {
            network.remove();
        }
    }

    @Test
    void theyJoinByOneLineAndAJobGoesByRdma() throws Exception {
        UnpackedBolt.requireRoomForHosts(2);
        Path topology = Files.write(
                directory.resolve("topology"),
                List.of(
                        "profile apple",
                        "host one",
                        "host two",
                        "cable c one:en5 two:en5",
                        "port one:en5 ipv4 10.1.0.1",
                        "port two:en5 ipv4 10.1.0.2"));
        Machine one = machine(0, "one", topology);
        Machine two = machine(1, "two", topology);

        Said up =
                one.expect(0, small("up", "--conf", "spark.boltshuffle.agent.verbsLibrary=" + BuiltCheckout.EMULATOR));
        assertThat(up.err()).contains("fingerprint");
        Matcher line = up.joinLine();
        assertThat(line.group(1)).isEqualTo(one.address());
        assertThat(one.expect(0, "up").err()).contains("a cluster runs already");

        assertThat(two.expect(1, small("join", one.address(), WRONG)).err()).contains("the code is wrong");
        assertThat(two.expect(3, small("join", one.address() + ":1", WRONG)).err())
                .contains("nothing answers at " + one.address() + ":1");
        Said join = two.expect(0, small("join", line.group(1), line.group(2)));
        assertThat(join.err()).contains(fingerprint(up.err())).containsPattern("(OK|WARNING|FAILURE) ");
        assertThat(two.expect(1, small("join", line.group(1), line.group(2))).err())
                .contains("has joined the cluster of " + one.address() + " already");
        assertThat(two.expect(0, "join").err()).contains("already");
        assertThat(two.expect(1, "down").err()).contains("bolt leave");
        assertThat(one.expect(1, "leave").err()).contains("bolt down");

        JsonNode status = one.status();
        assertThat(status.at("/running").asBoolean()).isTrue();
        assertThat(status.at("/workers")).hasSize(2);
        assertThat(status.at("/machines/0/address").asText()).isEqualTo(two.address());

        one.expect(
                0,
                submit(
                        status,
                        "TeraGen",
                        List.of(),
                        "100000",
                        "4",
                        directory.resolve("rows").toString()));
        sortsByRdma(one, 2, "first");
        sortsByRdma(two, 2, "of-the-joined-one");
        secretsAreSecret(line.group(2), one, two);

        assertThat(two.expect(0, "leave").err()).contains("has left the cluster of " + one.address());
        assertThat(one.status().at("/machines/0/left").asBoolean()).isTrue();
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(one.status().at("/workers")).hasSize(1));

        two.changeAddress("198.18.0.77");
        two.expect(0, small("join"));
        assertThat(one.status().at("/machines/0/address").asText()).isEqualTo("198.18.0.77");
        sortsByRdma(one, 2, "again");

        List<ProcessHandle> processes = Stream.of(one.status(), two.status())
                .flatMap(each -> UnpackedBolt.processes(each).stream())
                .toList();
        assertThat(processes).hasSizeGreaterThanOrEqualTo(7);
        two.expect(0, "leave", "--forget");
        one.expect(0, "down");
        assertThat(processes).noneMatch(process -> new ProcessRecord(process.toString(), process.pid(), 0).lives());
        assertThat(two.expect(3, small("join", line.group(2))).err())
                .as("what one announced was taken back")
                .contains("no first machine answers in the local network", "bolt join HOST CODE");
        assertThat(one.cache().resolve("up/cluster")).doesNotExist();
        assertThat(two.cache().resolve("up/cluster")).doesNotExist();
    }

    @Test
    void aJobEndsRightThoughAMachineLeavesInTheMiddleAndAllComeBackAfterARestart() throws Exception {
        UnpackedBolt.requireRoomForHosts(2);
        Machine one = machine(0, "none", directory.resolve("no-topology"));
        Machine two = machine(1, "none", directory.resolve("no-topology"));
        Said up = one.expect(0, small("up", "--no-announce"));
        // Without a device: what then goes by TCP is said, and all else is the same.
        assertThat(up.err()).contains("blocks of this machine go by TCP");
        Matcher line = up.joinLine();
        assertThat(two.expect(3, small("join", line.group(2))).err())
                .contains("no first machine answers in the local network");
        two.expect(0, small("join", line.group(1), line.group(2)));
        writesRows(one, 8);

        leavesInTheMiddleOfAJob(two, one);

        one.expect(0, "down");
        one.expect(0, small("up"));
        two.expect(0, small("join"));
        assertThat(one.status().at("/workers")).hasSize(2);

        // It has not left, and its worker still looks for the master that ended.
        one.expect(0, "down");
        one.expect(0, small("up"));
        two.expect(0, small("join"));
        assertThat(one.status().at("/workers")).hasSize(2);
        assertThat(two.expect(0, small("join")).err()).contains("works in the cluster of");
    }

    /**
     * The third has no SPARK_HOME, but a Spark in its cache, as if it had fetched it. It is told no host, and finds the
     * first one by multicast DNS.
     */
    @Test
    void aThirdJoinsByAnotherCodeAloneAndLeavesInTheMiddleOfAJob() throws Exception {
        UnpackedBolt.requireRoomForHosts(MACHINES);
        Path topology = Files.write(
                directory.resolve("topology"),
                List.of(
                        "profile apple",
                        "host one",
                        "host two",
                        "host three",
                        "cable a one:en5 two:en5",
                        "cable b two:en6 three:en5",
                        "cable c three:en6 one:en6",
                        "port one:en5 ipv4 10.1.0.1",
                        "port two:en5 ipv4 10.1.0.2",
                        "port two:en6 ipv4 10.2.0.1",
                        "port three:en5 ipv4 10.2.0.2",
                        "port three:en6 ipv4 10.3.0.1",
                        "port one:en6 ipv4 10.3.0.2"));
        Machine one = machine(0, "one", topology);
        Machine two = machine(1, "two", topology);
        Machine three = machine(2, "three", topology, false);
        Said up =
                one.expect(0, small("up", "--conf", "spark.boltshuffle.agent.verbsLibrary=" + BuiltCheckout.EMULATOR));
        Matcher first = up.joinLine();
        two.expect(0, small("join", first.group(1), first.group(2)));
        assertThat(three.expect(1, small("join", first.group(1), first.group(2)))
                        .err())
                .contains("was used already");
        Said more = one.expect(0, "up", "--code");
        Matcher second = more.joinLine();
        assertThat(three.expect(0, small("join", second.group(2))).err())
                .contains("found ", " at " + one.address() + ", ", "joined the cluster of " + one.address())
                .contains(fingerprint(up.err()));
        assertThat(three.expect(1, small("join", second.group(2))).err()).contains("has joined the cluster");
        JsonNode status = one.status();
        assertThat(status.at("/workers")).hasSize(MACHINES);
        writesRows(one, 6);

        sortsByRdma(one, MACHINES, "of-three");
        for (Machine machine : List.of(one, two, three)) {
            assertThat(machine.status().at("/rdmaBytes").asLong())
                    .as(machine.address())
                    .isPositive();
        }
        leavesInTheMiddleOfAJob(three, one);
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(one.status().at("/workers")).hasSize(2));
        sortsByRdma(two, 2, "without-the-third");
    }

    private void writesRows(Machine driver, int partitions) throws Exception {
        String rows = directory.resolve("rows").toString();
        driver.expect(0, submit(driver.status(), "TeraGen", List.of(), "400000", Integer.toString(partitions), rows));
    }

    /** Requires that the job ends right. */
    private void leavesInTheMiddleOfAJob(Machine leaving, Machine driver) throws Exception {
        Path logs = Files.createDirectories(directory.resolve("sort"));
        ProcessBuilder sorting = driver.command(submit(
                driver.status(),
                "TeraSort",
                List.of(),
                directory.resolve("rows").toString(),
                directory.resolve("sorted").toString(),
                "8"));
        try (RunningBolt job = RunningBolt.start(sorting, logs, logs)) {
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> !leaving.executors().isEmpty());
            leaving.expect(0, "leave");
            assertThat(job.exitCode()).as(job.err()).isZero();
        }
        assertThat(directory.resolve("sorted/_SUCCESS")).exists();
    }

    /** Runs a job, and requires that all it reads from the other machine comes by RDMA. */
    private void sortsByRdma(Machine driver, int machines, String name) throws Exception {
        Path metrics = Files.createDirectories(directory.resolve("metrics-" + name));
        List<String> options = new ArrayList<>();
        Map<String, String> settings = new HashMap<>(ExecutorMetrics.settings(metrics));
        // A short job is over on some machines before the executors of the others have come.
        settings.put("spark.cores.max", Integer.toString(machines));
        settings.put("spark.scheduler.minRegisteredResourcesRatio", "1.0");
        settings.put("spark.scheduler.maxRegisteredResourcesWaitingTime", "120s");
        settings.forEach((key, value) -> options.addAll(List.of("--conf", key + "=" + value)));
        driver.expect(
                0,
                submit(
                        driver.status(),
                        "TeraSort",
                        options,
                        directory.resolve("rows").toString(),
                        directory.resolve("sorted-" + name).toString(),
                        "4"));
        ExecutorMetrics read = ExecutorMetrics.read(metrics);
        assertThat(read.total(ExecutorMetrics.BYTES + "rdma").orElse(0))
                .as(name)
                .isGreaterThan(100_000);
        assertThat(read.rdmaShare()).as(name).hasValue(1.0);
    }

    private static String[] submit(JsonNode status, String main, List<String> options, String... arguments)
            throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "spark-submit",
                "--master",
                status.at("/master").asText(),
                "--class",
                "io.boltshuffle.examples." + main));
        words.addAll(options);
        words.add(EXAMPLES);
        words.addAll(List.of(arguments));
        return words.toArray(String[]::new);
    }

    private static final String EXAMPLES = "@examples@";

    private static String[] small(String... words) {
        return Stream.concat(Stream.of(words), SMALL.stream()).toArray(String[]::new);
    }

    private static String fingerprint(String said) {
        Matcher matcher = Pattern.compile("fingerprint ([0-9A-F ]{29})").matcher(said);
        assertThat(matcher.find()).as(said).isTrue();
        return matcher.group(1);
    }

    /** Neither a code nor the secret nor a key is in a log, in a process list, or where others can read. */
    private void secretsAreSecret(String code, Machine one, Machine two) throws IOException {
        List<String> secrets = new ArrayList<>(List.of(code));
        ObjectMapper json = new ObjectMapper();
        secrets.add(json.readTree(one.cache().resolve("up/cluster/secret.json").toFile())
                .path("spark.authenticate.secret")
                .asText());
        secrets.add(json.readTree(two.cache().resolve("up/membership.json").toFile())
                .path("key")
                .asText());
        assertThat(secrets).allMatch(secret -> secret.length() >= 16);
        for (Machine machine : List.of(one, two)) {
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(machine.cache().resolve("up"))))
                    .isEqualTo("rwx------");
            for (String secret : secrets) {
                assertThat(machine.filesWith(secret)).allSatisfy(file -> {
                    assertThat(file).startsWith(machine.cache().resolve("up"));
                    assertThat(file.toString()).doesNotContain("/logs/").doesNotEndWith(".log");
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------");
                });
            }
        }
        assertThat(ProcessHandle.allProcesses()
                        .map(process -> process.info().commandLine().orElse("")))
                .noneMatch(words -> secrets.stream().anyMatch(words::contains));
    }

    private record Said(String out, String err) {
        /** Returns the host and the code of the line that other machines type. */
        Matcher joinLine() {
            Matcher line = LINE.matcher(out);
            assertThat(line.matches()).as(out).isTrue();
            return line;
        }
    }

    private Machine machine(int index, String virtualHost, Path topology) throws Exception {
        return machine(index, virtualHost, topology, true);
    }

    private Machine machine(int index, String virtualHost, Path topology, boolean hasSparkHome) throws Exception {
        UnpackedBolt bolt = UnpackedBolt.in(directory.resolve("bolt-" + index));
        Path spark = bolt.gatheredSpark(Files.createDirectories(directory.resolve("gather-" + index)));
        Machine machine = new Machine(index, bolt, virtualHost, topology);
        if (hasSparkHome) {
            machine.environment.put("SPARK_HOME", spark.toString());
        } else {
            String release = SparkRuntime.at(spark).release();
            Files.createSymbolicLink(Files.createDirectories(machine.cache()).resolve("spark-" + release), spark);
        }
        machines.add(machine);
        return machine;
    }

    /** A host with what is its own. */
    private final class Machine {
        private final UnpackedBolt bolt;
        private final Path home;
        private final String namespace;
        private final Map<String, String> environment;
        private String address;
        private int commands;

        Machine(int index, UnpackedBolt bolt, String virtualHost, Path topology) throws IOException {
            this.bolt = bolt;
            this.home = Files.createDirectories(directory.resolve("home-" + index));
            this.namespace = network.hosts().get(index);
            this.address = namespace;
            this.environment = new HashMap<>(Map.of(
                    "HOME", home.toString(),
                    "BOLT_CACHE", home.resolve("cache").toString(),
                    "BOLT_VTB_TOPOLOGY", topology.toString(),
                    "BOLT_VTB_HOST", virtualHost));
        }

        String address() {
            return address;
        }

        Path cache() {
            return home.resolve("cache");
        }

        ProcessBuilder command(String... words) throws IOException {
            List<String> all = new ArrayList<>(List.of(words));
            all.replaceAll(word -> word.equals(EXAMPLES) ? examples() : word);
            ProcessBuilder command = UnpackedBolt.command(bolt.launcher(), all.toArray(String[]::new));
            command.environment().putAll(environment);
            return network.on(namespace, command);
        }

        private String examples() {
            try {
                return bolt.jar("boltshuffle-cli-").toString();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        int run(String... words) throws Exception {
            try (RunningBolt running = RunningBolt.start(command(words), logs(), home)) {
                return running.exitCode();
            }
        }

        Said expect(int exitCode, String... words) throws Exception {
            try (RunningBolt running = RunningBolt.start(command(words), logs(), home)) {
                assertThat(running.exitCode())
                        .as("%s%n%s", List.of(words), running.err())
                        .isEqualTo(exitCode);
                assertThat(running.err()).doesNotContain("\tat ");
                return new Said(running.out(), running.err());
            }
        }

        JsonNode status() throws Exception {
            try (RunningBolt running = RunningBolt.start(command("up", "--status", "--json"), logs(), home)) {
                running.exitCode();
                return new ObjectMapper().readTree(running.out());
            }
        }

        List<ProcessHandle> executors() throws Exception {
            return UnpackedBolt.processes(status()).stream()
                    .flatMap(ProcessHandle::descendants)
                    .filter(child -> child.info().commandLine().orElse("").contains("CoarseGrainedExecutorBackend"))
                    .toList();
        }

        void changeAddress(String fresh) throws Exception {
            for (List<String> words : List.of(
                    List.of("ip", "address", "add", fresh + "/24", "dev", Namespaces.DEVICE),
                    List.of("ip", "address", "delete", address + "/24", "dev", Namespaces.DEVICE),
                    List.of("ip", "address", "replace", fresh + "/24", "dev", Namespaces.DEVICE))) {
                network.on(namespace, new ProcessBuilder(words)).start().waitFor();
            }
            address = fresh;
        }

        List<Path> filesWith(String text) throws IOException {
            List<Path> found = new ArrayList<>();
            try (Stream<Path> files = Files.walk(home)) {
                for (Path file : files.filter(Files::isRegularFile)
                        .filter(file -> !file.toString().endsWith(".jar"))
                        .toList()) {
                    if (new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1)
                            .contains(text)) {
                        found.add(file);
                    }
                }
            }
            return found;
        }

        private Path logs() throws IOException {
            commands++;
            return Files.createDirectories(directory.resolve("said-" + namespace + "-" + commands));
        }
    }
}
