package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.os.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two users work on the same two hosts at once. Each has an agent on each host, with a directory and a port of its own;
 * the cable is one, and so is the budget of each device.
 */
@Tag("ladder")
class TwoUsersTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void bothGoByRdmaOverTheSameCable(@TempDir Path one, @TempDir Path other) throws Exception {
        try (AgentPair mine = SharedCable.agents(one, one.resolve("state"));
                AgentPair others = SharedCable.agents(other, one.resolve("state"));
                TwoHosts hosts = TwoHosts.start(one);
                TwoHosts otherHosts = TwoHosts.start(other)) {
            mine.startBoth();
            others.startBoth();
            Process driver = EndlessDriver.start(others.applyTo(otherHosts.applicationConf("other-user")), other);
            try (JavaSparkContext context = new JavaSparkContext(mine.applyTo(hosts.applicationConf("one-user")))) {
                await().atMost(PATIENCE).until(() -> !driver.isAlive() || others.servedBytes() > 0);
                CountingJob job = new CountingJob(context, 20_000, 12);
                job.awaitRdma(mine);
                long before = others.servedBytes();
                await().atMost(PATIENCE).until(() -> !driver.isAlive() || others.servedBytes() > before);

                assertThat(driver.isAlive())
                        .as(Files.readString(EndlessDriver.said(other)))
                        .isTrue();
                assertThat(queuePairs(mine)).isGreaterThanOrEqualTo(2);
            } finally {
                driver.destroyForcibly().onExit().join();
            }
        }
    }

    /** The other one is another account of the system, and all processes of it are. */
    @Test
    void anotherAccountAndThisOneGoByRdmaOverTheSameCable(@TempDir Path directory) throws Exception {
        OtherAccount.require();
        OtherAccount.opened(directory);
        Path state = stateForAll(directory);
        Path theirs = OtherAccount.directory(directory.resolve("theirs"));
        try (AgentPair mine = SharedCable.agents(Files.createDirectory(directory.resolve("mine")), state);
                TwoHosts hosts = TwoHosts.start(directory.resolve("mine"))) {
            mine.startBoth();
            Process others = startOthers(directory, theirs, state);
            try (JavaSparkContext context = new JavaSparkContext(mine.applyTo(hosts.applicationConf("one-account")))) {
                awaitServed(others, theirs, 0);
                new CountingJob(context, 20_000, 12).awaitRdma(mine);
                awaitServed(others, theirs, served(theirs));

                assertThat(queuePairs(mine)).isGreaterThanOrEqualTo(2);
                others.getOutputStream().write('\n');
                others.getOutputStream().flush();
                assertThat(others.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as(said(theirs))
                        .isTrue();
                assertThat(others.exitValue()).as(said(theirs)).isZero();
            } finally {
                ProcessTree.end(others);
            }
        }
    }

    /** A cable of a Mac is there for all of its accounts; the virtual one's state is that of who plugs it in. */
    private static Path stateForAll(Path directory) throws IOException {
        Path state = Files.createDirectory(directory.resolve("state"));
        Path file = Files.createFile(state.resolve("fabric"));
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        return state;
    }

    /** Gives them copies of what they run, laid out as it is here, because they may not enter this checkout. */
    private static Process startOthers(Path directory, Path theirs, Path state) throws IOException {
        Path module = Files.createDirectories(directory.resolve("copy/integration-tests"));
        Path target = Files.createDirectories(module.resolveSibling("rdma-native/target"));
        OtherAccount.copy(Path.of("../rdma-native/target/emulator"), target.resolve("emulator"));
        String classPath = OtherAccount.copyClassPath(
                System.getProperty("java.class.path"), Files.createDirectory(directory.resolve("jars")));
        ProcessBuilder program = new ProcessBuilder(OtherAccountsJobs.command(classPath, theirs, state))
                .directory(module.toFile())
                .redirectErrorStream(true)
                .redirectOutput(theirs.resolve("said").toFile());
        program.environment().put("SPARK_HOME", theirs.resolve("spark").toString());
        program.environment().put("HOME", theirs.toString());
        return OtherAccount.run(program).start();
    }

    /** Waits until they have served more bytes. */
    private static void awaitServed(Process others, Path theirs, long before) throws IOException {
        await().atMost(PATIENCE).until(() -> !others.isAlive() || served(theirs) > before);
        assertThat(served(theirs)).as(said(theirs)).isGreaterThan(before);
    }

    private static long served(Path theirs) throws IOException {
        return said(theirs)
                .lines()
                .filter(line -> line.startsWith(OtherAccountsJobs.SERVED))
                .mapToLong(line -> Long.parseLong(line.substring(OtherAccountsJobs.SERVED.length())))
                .max()
                .orElse(0);
    }

    private static String said(Path theirs) throws IOException {
        return Files.readString(theirs.resolve("said"));
    }

    /** Returns how many the device of one host has given out, to all users together. */
    private static long queuePairs(AgentPair agents) {
        return agents.cables().statistics().at("/ports/0/queuePairs/used").asLong();
    }
}
