package io.boltshuffle.client;

import static java.util.Objects.requireNonNull;

import io.boltshuffle.conf.Options;
import io.boltshuffle.os.MemoryGroup;
import io.boltshuffle.wire.MeetingPlace;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.StandardProtocolFamily;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the agent of this host if none runs. Of several executors that try, one starts the agent and the others find
 * it.
 *
 * <p><b>Threads:</b> the launcher waits on a thread of its own.
 */
final class AgentLauncher {

    private static final Logger LOG = LoggerFactory.getLogger(AgentLauncher.class);
    private static final String MAIN_CLASS = "io.boltshuffle.agent.AgentMain";

    /** An agent exits with this code if its host has no RDMA device. */
    private static final int NO_DEVICES = 3;

    private static final Duration POLL = Duration.ofMillis(50);

    /**
     * Tells how a launch ended.
     *
     * @param running whether an agent answers now
     * @param giveUp whether another attempt is known to be useless
     * @param detail why the agent does not run, in words for a person
     */
    record Outcome(boolean running, boolean giveUp, String detail) {
        static final Outcome RUNNING = new Outcome(true, false, "");
        static final Outcome NO_CABLE = new Outcome(false, true, "this host shows no cable");

        static Outcome failed(String detail) {
            return new Outcome(false, false, detail);
        }
    }

    private final ClientStart start;
    private final MeetingPlace place;

    AgentLauncher(ClientStart start, MeetingPlace place) {
        this.start = start;
        this.place = place;
    }

    /** @param whenOver is called on the launcher's thread */
    void launch(Consumer<Outcome> whenOver) {
        Thread thread = new Thread(() -> whenOver.accept(launchNow()), "bolt-agent-launcher");
        thread.setDaemon(true);
        thread.start();
    }

    private Outcome launchNow() {
        // A process that locks a file twice is refused, and loses its lock as it closes the second channel.
        synchronized (AgentLauncher.class) {
            return launchAlone();
        }
    }

    private Outcome launchAlone() {
        try (FileChannel file =
                        FileChannel.open(place.startLock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            LOG.debug("looking for the agent under {}", lock);
            if (answers()) {
                return Outcome.RUNNING;
            }
            if (start.onlyWithCable() && !CableProbe.mayExist(start.settings())) {
                return Outcome.NO_CABLE;
            }
            Runtime jvm = Runtime.getRuntime();
            Optional<String> shortage = AgentRoom.shortage(
                    start.settings().get(Options.AGENT_SLAB),
                    MemoryGroup.tightest(),
                    jvm.maxMemory() - jvm.totalMemory());
            if (shortage.isPresent()) {
                return Outcome.failed(shortage.get());
            }
            StartHistory history = new StartHistory(place.startHistory());
            if (history.isCrashLoop(System.currentTimeMillis())) {
                return new Outcome(
                        false,
                        true,
                        "its agent was started " + StartHistory.MAX_STARTS + " times within "
                                + StartHistory.WINDOW.toMinutes() + " minutes; its log is " + place.log());
            }
            history.add(System.currentTimeMillis());
            return await(startProcess());
        } catch (IOException e) {
            return Outcome.failed(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.failed("interrupted");
        } catch (RuntimeException | Error e) { // without an answer, the client would never look for an agent again
            return Outcome.failed(e.toString());
        }
    }

    private Process startProcess() throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(AgentJvm.OPTIONS);
        command.addAll(List.of(
                "-cp",
                classPath(),
                MAIN_CLASS,
                "--host",
                start.host(),
                "--root",
                start.root().toAbsolutePath().toString(),
                "--end-when-idle"));
        start.agentProperties().forEach((key, value) -> {
            command.add("--conf");
            command.add(key + "=" + value);
        });
        LOG.info("starting the agent of {}; its log is {}", start.host(), place.log());
        ProcessBuilder agent = AgentJvm.process(command);
        AgentEnvironment.keepOnlyNeeded(agent.environment());
        return agent.directory(place.directory().toFile())
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(place.log().toFile()))
                .start();
    }

    private Outcome await(Process process) throws InterruptedException {
        long deadline = System.nanoTime()
                + start.settings().get(Options.AGENT_START_TIMEOUT).toNanos();
        while (System.nanoTime() < deadline) {
            if (answers()) {
                return Outcome.RUNNING;
            }
            if (process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
                return new Outcome(
                        false,
                        process.exitValue() == NO_DEVICES,
                        "it ended with code " + process.exitValue() + "; its log is " + place.log()
                                + ", the last line: " + LogTail.lastLine(place.log()));
            }
        }
        return Outcome.failed("it does not answer; its log is " + place.log());
    }

    private boolean answers() {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return probe.connect(UnixDomainSocketAddress.of(place.socket()));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns the plugin's own jar, which Spark may have copied from elsewhere, followed by those entries of the
     * executor's class path that an agent needs.
     */
    private static String classPath() throws IOException {
        try {
            Path own = Path.of(AgentLauncher.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            ClassLoader loader = requireNonNull(AgentLauncher.class.getClassLoader());
            return AgentClassPath.ofExecutor(own, loader, absolute(System.getProperty("java.class.path")));
        } catch (URISyntaxException e) {
            throw new IOException("the plugin's jar has no usable place", e);
        }
    }

    private static List<String> absolute(String classPath) {
        List<String> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                entries.add(
                        entry.endsWith("*")
                                ? entry
                                : Path.of(entry).toAbsolutePath().toString());
            }
        }
        return entries;
    }
}
