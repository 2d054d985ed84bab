package io.boltshuffle.cli.up;

import io.boltshuffle.cli.base.BuildFacts;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Counted;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.Daemon;
import io.boltshuffle.cli.cluster.MachineSize;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.joining.ClusterOffer;
import io.boltshuffle.cli.localcluster.LocalCluster;
import io.boltshuffle.cli.nearby.AnnouncerMain;
import io.boltshuffle.cli.runtime.HistoryServer;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.cli.runtime.UserCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Starts what the first machine of a cluster has.
 *
 * <p><b>Ownership:</b> the teardown ends what is started, until it is told to keep it.
 */
record FirstNode(
        SharedPlace place,
        UserCache cache,
        NodeOptions.Share share,
        String address,
        SparkRuntime runtime,
        RunDirectory run,
        Console console,
        Teardown teardown) {
    private static final int SECRET_BYTES = 32;
    private static final Pattern HISTORY_READY = Pattern.compile("HistoryServer[^\\n]* started at (http\\S+)");

    /**
     * Starts all of it.
     *
     * @param port at which machines may join; another one if it is taken
     * @param announced whether the network is told of it
     */
    void start(int port, boolean announced) throws IOException {
        Path jar = Installation.current().pluginJar();
        String secret = randomSecret();
        Node here = new Node(runtime, Node.machine(address, runtime, jar), jar, run, console, teardown);
        console.line("starting Spark " + runtime.release() + " at " + address + ", with "
                + Counted.of(share.worker().coresPerHost(), "core") + " and "
                + share.worker().executorMemory() + " for executors");
        here.configure(secret);
        here.startAgent(share.slabBytes(), share.settings());
        VirtualCluster spark = VirtualCluster.start(
                runtime, share.worker(), here.machine(), VirtualCluster.Ports.USUAL, run, teardown);
        here.keepAwake();
        Path eventLogs = Files.createDirectories(cache.eventLogs());
        String history = startHistory(eventLogs, jar);
        describe(here, spark, secret, eventLogs, jar);
        startJoinServer(history, port, announced);
    }

    private String startHistory(Path eventLogs, Path jar) {
        ProcessBuilder server = HistoryServer.prepare(
                runtime,
                jar,
                eventLogs,
                HistoryServer.USUAL_PORT,
                VirtualCluster.daemonEnvironment(run, HistoryServer.HOST));
        return Daemon.start("the history server", server, run, "history", teardown)
                .await(HISTORY_READY);
    }

    private void describe(Node here, VirtualCluster spark, String secret, Path eventLogs, Path jar) throws IOException {
        long executorBytes = MachineSize.executorMemoryBytes(share.worker().executorMemoryBytes());
        String executorMemory = (executorBytes >> 20) + "m";
        Map<String, String> shared = new LinkedHashMap<>(share.settings());
        shared.put("spark.authenticate", "true");
        shared.put("spark.executor.memory", executorMemory);
        ClusterOffer offer = new ClusterOffer(
                spark.masterUrl(),
                spark.uiUrl(),
                runtime.release(),
                executorMemory,
                share.settings(),
                shared,
                secret,
                jar,
                BuildFacts.sha256(jar),
                Files.size(jar));
        Map<String, String> settings = new LinkedHashMap<>(shared);
        settings.put("spark.eventLog.enabled", "true");
        settings.put("spark.eventLog.dir", eventLogs.toString());
        here.describe(place.cluster(), offer, settings, share.worker());
        place.keep(offer);
    }

    private void startJoinServer(String history, int port, boolean announced) {
        Daemon server = Daemon.start(
                "the join server",
                program(
                        List.of("-Xmx128m"),
                        JoinServerMain.class,
                        List.of(cache.root().toString(), Integer.toString(port))),
                run,
                "join",
                teardown);
        int taken = Integer.parseInt(server.await(JoinServerMain.READY));
        if (port != taken) {
            console.line("port " + port + " is taken: machines join at port " + taken);
        }
        new JoinLine(OwnAddress.nameForOthers(address), taken, history).keep(place);
        if (announced) {
            startAnnouncer(taken, server.processId());
        }
    }

    /** Does not wait for it: where multicast DNS cannot be had, its log says so, and nothing else is different. */
    private void startAnnouncer(int port, long joinServer) {
        List<String> arguments = AnnouncerMain.arguments(
                OwnAddress.name(), address, port, place.identity().fingerprint(), joinServer);
        Daemon.start(
                "the announcer",
                program(List.of("-Xmx32m", "-XX:+ExitOnOutOfMemoryError"), AnnouncerMain.class, arguments),
                run,
                LocalCluster.ANNOUNCER,
                teardown);
    }

    private static ProcessBuilder program(List<String> memory, Class<?> main, List<String> arguments) {
        List<String> words = new ArrayList<>(List.of(SparkRuntime.java().toString()));
        words.addAll(memory);
        words.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Installation.current().lib() + "/*",
                main.getName()));
        words.addAll(arguments);
        return new ProcessBuilder(words);
    }

    private static String randomSecret() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }
}
